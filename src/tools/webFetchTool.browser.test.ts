import { expect, inject, it } from "vitest";
import type { JsonObject } from "../base";
import { toolCall } from "../testing/runTool";
import type { PageWebServerUrl } from "./pageWebServer.suite";
import { webFetchTool } from "./webFetchTool";

const url: PageWebServerUrl = inject("webUrl");
const tool = webFetchTool();
const failure = async (address: string) => {
  const error = await tool.execute({ url: address }, toolCall()).catch((thrown: unknown) => thrown);
  const { code, message } = error as { code: string; message: string };
  return [code, message.replaceAll(url, "SERVER")];
};

it("reads a page of a server that allows it, redirects included", async () => {
  const output = (await tool.execute({ url: `${url}/moved` }, toolCall())) as JsonObject;
  expect(output).toMatchObject({ finalUrl: `${url}/page`, title: "A page", text: "# Hi\n\nText" });
});

it("tells an answer it may not read from no answer, and from a redirect to one it may not read", async () => {
  expect(await failure(`${url}/closed`)).toEqual([
    "cors",
    "SERVER answers, but does not let this page read its answer (CORS). Nothing on this side changes that: the server would " +
      "have to send Access-Control-Allow-Origin. Try another address that holds the same, for example an API or a raw file " +
      "of it.",
  ]);
  expect(await failure("http://127.0.0.1:1/")).toEqual(["network", "No connection to http://127.0.0.1:1."]);
  expect((await failure(`${url}/moved-to-closed`))[0]).toBe("redirect");
  expect((await failure("http://192.168.0.9/"))[0]).toBe("blocked");
});

it("says what the server itself says, and what is no text", async () => {
  expect((await failure(`${url}/missing`))[0]).toBe("http-status");
  expect((await failure(`${url}/image`))[0]).toBe("not-text");
  expect((await failure(`${url}/huge`))[0]).toBe("too-large");
});
