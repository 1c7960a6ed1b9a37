import { describe, expect, it } from "vitest";
import { grepFilter } from "./grepFilter";
import { UnknownFileTypeError } from "./unknownFileTypeError";

const paths = ["/.d/w.ts", "/a/b/z.ts", "/a/y.ts", "/a-b/q.tsx", "/readme.md", "/x.ts", "/Makefile"];

function passed(query: Parameters<typeof grepFilter>[0]): string[] {
  return paths.filter(grepFilter(query));
}

describe("grepFilter", () => {
  it.each([
    [{ glob: "*.ts" }, ["/.d/w.ts", "/a/b/z.ts", "/a/y.ts", "/x.ts"]],
    [{ glob: "a/*.ts" }, ["/a/y.ts"]],
    [{ glob: "a/**" }, ["/a/b/z.ts", "/a/y.ts"]],
    [{ glob: "*.{md,tsx}" }, ["/a-b/q.tsx", "/readme.md"]],
    [{ glob: "/x.ts" }, ["/x.ts"]],
    [{ glob: "a" }, []],
    [{ glob: "!a" }, ["/.d/w.ts", "/a-b/q.tsx", "/readme.md", "/x.ts", "/Makefile"]],
    [{ glob: "!a/" }, ["/.d/w.ts", "/a-b/q.tsx", "/readme.md", "/x.ts", "/Makefile"]],
    [{ glob: "!*.ts" }, ["/a-b/q.tsx", "/readme.md", "/Makefile"]],
    [{ glob: "!x.ts/" }, paths],
    [{ path: "/a" }, ["/a/b/z.ts", "/a/y.ts"]],
    [{ path: "/a", glob: "b/*.ts" }, ["/a/b/z.ts"]],
    [{ path: "/a", glob: "a/b/*.ts" }, ["/a/b/z.ts"]],
    [{ path: "/a", glob: "!a" }, ["/a/b/z.ts", "/a/y.ts"]],
    [{ path: "/x.ts", glob: "*.md", type: "md" }, ["/x.ts"]],
    [{ type: "ts" }, ["/.d/w.ts", "/a/b/z.ts", "/a/y.ts", "/a-b/q.tsx", "/x.ts"]],
    [{ type: "make" }, ["/Makefile"]],
    [{ type: "ts", glob: "q*" }, ["/a-b/q.tsx"]],
    [{ type: "md", glob: "q*" }, ["/a-b/q.tsx"]],
    [{ type: "ts", glob: "!q*" }, ["/.d/w.ts", "/a/b/z.ts", "/a/y.ts", "/x.ts"]],
  ])("%j lets through what ripgrep searches", (query, expected) => {
    expect(passed(query)).toEqual(expected);
  });

  it("names the few types that are nearest to one it does not know", () => {
    expect(() => grepFilter({ path: "/src", type: "tsx" })).toThrow(UnknownFileTypeError);
    const told = (type: string) => {
      try {
        grepFilter({ path: "/src", type });
      } catch (error) {
        if (error instanceof UnknownFileTypeError) return { path: error.path, message: error.message };
      }
      return undefined;
    };
    expect(told("pyton")?.message).toBe("unrecognized file type: pyton (nearest: python, cython)");
    expect(told("tsx")?.message).toMatch(/^unrecognized file type: tsx \(nearest: ts(, \w+){0,2}\)$/);
    expect(told("quitedifferent")).toEqual({ path: "/src", message: "unrecognized file type: quitedifferent" });
    expect(told("x".repeat(100_000))?.message).toBe(`unrecognized file type: ${"x".repeat(100_000)}`);
    expect(new UnknownFileTypeError("/a", "pyton", ["python"]).withPath("/m/a")).toMatchObject({
      path: "/m/a",
      message: "unrecognized file type: pyton (nearest: python)",
    });
  });
});
