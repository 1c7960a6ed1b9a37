import { ItemTable } from "./itemTable";
import type { SessionState } from "./sessionState";
import { StateList } from "./stateList";

/**
 * The state without the rows that are over: what a fold needs that goes on from here, and the sums so far. Folding on from it
 * gives the state of the whole log with later rows only, so a long log can be shown from any of its places. Turns stay.
 */
export function carriedState(state: SessionState): SessionState {
  const { openCalls, openText, openReasoning, mountsNote } = state.fold;
  const open = new Set([...openCalls, openText, openReasoning]);
  // It goes on only while no other row comes.
  if (mountsNote !== undefined && mountsNote.id === state.itemIds.last) open.add(mountsNote.id);
  let items: ItemTable = ItemTable.empty;
  let itemIds: StateList<string> = StateList.empty;
  for (const item of state.items) {
    if (!open.has(item.id)) continue;
    items = items.with(item);
    itemIds = itemIds.appended(item.id);
  }
  const lastStep = state.steps.last;
  const steps = lastStep === undefined ? state.steps : (StateList.empty as typeof state.steps).appended(lastStep);
  return { ...state, items, itemIds, steps };
}
