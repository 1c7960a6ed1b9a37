import { lazy, type ComponentType } from "react";
import type { AgentView } from "../../store";
import type { Segment } from "../widgets/SegmentedControl";

/** What shows each view; a segment is there for each of these. */
const AGENT_VIEWS: readonly { readonly value: AgentView; readonly label: string; readonly view: ComponentType }[] = [
  {
    value: "form",
    label: "Form",
    view: lazy(() => import("./AgentForm").then((module) => ({ default: module.AgentForm }))),
  },
  {
    value: "json",
    label: "JSON",
    view: lazy(() => import("./AgentJsonView").then((module) => ({ default: module.AgentJsonView }))),
  },
  {
    value: "tools",
    label: "Tools",
    view: lazy(() => import("../tools/ToolsView").then((module) => ({ default: module.ToolsView }))),
  },
  {
    value: "prompt",
    label: "Prompt",
    view: lazy(() => import("./PromptView").then((module) => ({ default: module.PromptView }))),
  },
  {
    value: "skills",
    label: "Skills",
    view: lazy(() => import("./SkillsView").then((module) => ({ default: module.SkillsView }))),
  },
];

export const agentSegments: readonly Segment<AgentView>[] = AGENT_VIEWS;

/** The view that was chosen, or the first where it is none. */
export function shownAgentView(chosen: AgentView | undefined): (typeof AGENT_VIEWS)[number] {
  const [first] = AGENT_VIEWS;
  const view = AGENT_VIEWS.find(({ value }) => value === chosen) ?? first;
  if (!view) throw new Error("The agent has no view.");
  return view;
}
