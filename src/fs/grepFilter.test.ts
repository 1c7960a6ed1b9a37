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

  it("names the types it knows when it does not know one", () => {
    expect(() => grepFilter({ path: "/src", type: "tsx" })).toThrow(UnknownFileTypeError);
    expect(() => grepFilter({ type: "tsx" })).toThrow(/^unrecognized file type: tsx \(known: ada, .*zstd\)$/);
  });
});
