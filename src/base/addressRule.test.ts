import { describe, expect, it } from "vitest";
import { addressRefusal } from "./addressRule";

const PAGE = "http://localhost:4173";

describe("addressRefusal", () => {
  it.each([
    "https://models.example/v1",
    "https://192.168.0.9/v1",
    "http://localhost:11434/v1",
    "http://127.0.0.1:1234/v1",
    "http://localhost:4173/v1",
  ])("lets a page reach %s", (url) => {
    expect(addressRefusal(url, PAGE)).toBeUndefined();
  });

  it("lets a page reach its own origin, and a program anything", () => {
    expect([
      addressRefusal("http://192.168.0.9:4173/v1", "http://192.168.0.9:4173"),
      addressRefusal("http://192.168.0.9:11434/v1", undefined),
    ]).toEqual([undefined, undefined]);
  });

  it("says what a page may reach, and how to get to the rest", () => {
    expect([
      addressRefusal("http://192.168.0.9:11434/v1", PAGE),
      addressRefusal("http://[::1]:9999/v1/", PAGE),
    ]).toEqual([
      {
        message:
          "This page may reach https addresses, localhost and 127.0.0.1 only: no request was sent to http://192.168.0.9:11434.",
        fix:
          "Serve it over https, or bring it to this machine with a tunnel and use http://localhost:11434/v1. " +
          "For example: ssh -N -L 11434:localhost:11434 192.168.0.9",
      },
      {
        message:
          "This page may reach https addresses, localhost and 127.0.0.1 only: no request was sent to http://[::1]:9999.",
        fix: "Use http://localhost:9999/v1 instead.",
      },
    ]);
  });
});
