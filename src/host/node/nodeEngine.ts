import releaseSync from "@jitl/quickjs-wasmfile-release-sync";
import wasmAddress from "@jitl/quickjs-wasmfile-release-sync/wasm?url";
import { newQuickJSWASMModuleFromVariant, newVariant, type QuickJSWASMModule } from "quickjs-emscripten-core";

/**
 * A new QuickJS. Each script gets one of its own and its memory goes with it, so nothing of it has to be given back one by one.
 */
export async function newNodeEngine(): Promise<QuickJSWASMModule> {
  // In Node, where the tests run, the package finds its file by itself.
  const isPage = typeof location === "object";
  return newQuickJSWASMModuleFromVariant(
    isPage ? newVariant(releaseSync, { wasmLocation: new URL(wasmAddress, location.href).href }) : releaseSync,
  );
}
