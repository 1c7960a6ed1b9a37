import { expect, test } from "vitest";
import { toolCall } from "../testing/runTool";
import { todoList, todosTools } from "./todosTools";

function bound(list = todoList()) {
  const [update, read] = todosTools(list);
  if (update === undefined || read === undefined) throw new Error("two tools are expected");
  return { list, update, read };
}

test("updateTodos replaces the list, readTodos reads it, and both tell it", async () => {
  const { update, read } = bound(todoList([{ content: "old", status: "pending" }]));
  const todos = [
    { content: "look", status: "completed" },
    { content: "edit", status: "inProgress" },
  ];
  expect(await update.execute({ todos }, toolCall())).toEqual({ todos, totalCount: 2 });
  const output = await read.execute({}, toolCall());
  expect(output).toEqual({ todos, totalCount: 2 });
  expect(read.modelText(output, {})).toBe("- [completed] look\n- [inProgress] edit");
  expect(read.modelText({ todos: [], totalCount: 0 }, {})).toBe("(no todos)");
});

test("merge changes items by id, else by content, and adds new ones", async () => {
  const { update } = bound(
    todoList([
      { id: "1", content: "look", status: "pending" },
      { content: "edit", status: "pending" },
    ]),
  );
  const todos = [
    { id: "1", content: "look well", status: "completed" },
    { content: "edit", status: "inProgress" },
    { content: "check", status: "pending" },
  ];
  expect(await update.execute({ todos, merge: true }, toolCall())).toEqual({ todos, totalCount: 3 });
});

test("A wrong status is refused with those there are", async () => {
  const { update } = bound();
  await expect(update.execute({ todos: [{ content: "a", status: "done" }] }, toolCall())).rejects.toThrow(
    'updateTodos: the argument "todos[0].status" must be one of "pending", "inProgress", "completed", "cancelled", not "done"',
  );
  await expect(update.execute({ todos: [{ status: "pending" }] }, toolCall())).rejects.toThrow(
    'updateTodos: "todos[0].content" is missing: give a string (What is to be done)',
  );
});

test("updateTodos always runs, readTodos reads", () => {
  const { update, read } = bound();
  expect([update.effect, read.effect]).toEqual(["always", "read"]);
});
