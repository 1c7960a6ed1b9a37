import { build } from "vite";

/**
 * Bundles parts of `src` into modules that need no package at run time: plain files for Node and for a page alike.
 * @param {string} root the project's folder
 * @param {string} outDir emptied first
 * @param {Readonly<Record<string, string>>} entries names of the files to make, and the sources they are made of
 */
export async function bundle(root, outDir, entries) {
  await build({
    root,
    configFile: false,
    logLevel: "silent",
    publicDir: false,
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2022",
      // It is read by people: in stack traces, and in the page of whoever uses it.
      minify: false,
      lib: { entry: entries, formats: ["es"] },
      rolldownOptions: {
        // Vite itself is asked only for agents that are written in TypeScript.
        external: [/^node:/, "vite"],
        output: { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" },
      },
    },
  });
}
