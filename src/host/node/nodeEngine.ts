import releaseSync from "@jitl/quickjs-wasmfile-release-sync";
import wasmAddress from "@jitl/quickjs-wasmfile-release-sync/wasm?url";
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from "quickjs-emscripten-core";

/** Loaded and compiled once: later scripts need no network. */
let compiled: Promise<WebAssembly.Module> | undefined;

/**
 * A new QuickJS. Each script gets one of its own and its memory goes with it, so nothing of it has to be given back one by one.
 * @throws Error when its file cannot be loaded; the next call tries again
 */
export async function newNodeEngine(): Promise<QuickJSWASMModule> {
  // In Node, where the tests run, the package finds its file by itself.
  if (typeof location !== "object") return newQuickJSWASMModuleFromVariant(releaseSync);
  compiled ??= compiledFrom(new URL(wasmAddress, location.href));
  compiled.catch(() => (compiled = undefined));
  return newQuickJSWASMModuleFromVariant(newVariant(releaseSync, { wasmModule: await compiled }));
}

/** By its bytes: a server may name no type for them. */
async function compiledFrom(address: URL): Promise<WebAssembly.Module> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`QuickJS could not be loaded: the server answers ${response.status}`);
  return WebAssembly.compile(await response.arrayBuffer());
}
