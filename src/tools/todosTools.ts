import type { JsonObject } from "../base";
import { toolFromShape, type ToolShape } from "./nativeDefinition";
import type { Tool } from "./tool";
import type { Todo, TodosOutput } from "./toolOutputs";

/** A session's list of what is to be done. */
export interface TodoList {
  read(): readonly Todo[];
  write(todos: readonly Todo[]): void;
}

/** A list in memory; a session that goes on starts it from the output of its last `updateTodos`. */
export function todoList(todos: readonly Todo[] = []): TodoList {
  let current = todos;
  return {
    read: () => current,
    write: (next) => {
      current = next;
    },
  };
}

export const updateTodosShape: ToolShape = {
  name: "updateTodos",
  description:
    "Writes the list of what is to be done in this session, to plan work of several steps and to show its progress.",
  effect: "always",
  arguments: {
    todos: {
      schema: {
        type: "array",
        description: "The items.",
        items: {
          type: "object",
          properties: {
            id: { type: "string", description: "A name that stays the same when the item changes." },
            content: { type: "string", description: "What is to be done." },
            status: { type: "string", enum: ["pending", "inProgress", "completed", "cancelled"] },
          },
          required: ["content", "status"],
        },
      },
      required: true,
    },
    merge: {
      schema: {
        type: "boolean",
        description:
          "True changes the items named (by id, else by content) and adds new ones; false or omitted replaces the list.",
      },
    },
  },
  modelText: todosText,
};

export const readTodosShape: ToolShape = {
  name: "readTodos",
  description: "Reads the list of what is to be done in this session.",
  effect: "read",
  arguments: {},
  modelText: todosText,
};

/** `updateTodos` and `readTodos` on one list. */
export function todosTools(list: TodoList): Tool[] {
  const output = (): TodosOutput => ({ todos: list.read(), totalCount: list.read().length });
  return [
    toolFromShape(updateTodosShape, async (input) => {
      const todos = input.todos as unknown as readonly Todo[];
      list.write(input.merge === true ? merged(list.read(), todos) : todos);
      return output();
    }),
    toolFromShape(readTodosShape, async () => output()),
  ];
}

function merged(current: readonly Todo[], changes: readonly Todo[]): Todo[] {
  const result = [...current];
  for (const change of changes) {
    const index = result.findIndex(({ id, content }) =>
      change.id === undefined ? content === change.content : id === change.id,
    );
    if (index < 0) result.push(change);
    else result[index] = { ...result[index], ...change };
  }
  return result;
}

function todosText(value: JsonObject): string | undefined {
  const { todos } = value as TodosOutput;
  if (!Array.isArray(todos)) return undefined;
  if (todos.length === 0) return "(no todos)";
  return (todos as readonly Todo[]).map(({ status, content }) => `- [${status}] ${content}`).join("\n");
}
