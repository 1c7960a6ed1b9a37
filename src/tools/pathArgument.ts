import type { ArgumentShape } from "./nativeDefinition";

/** The path of a file under every name a model may know it by. */
export function pathArgument(description: string): ArgumentShape {
  return {
    schema: { type: "string", description },
    required: true,
    aliases: ["target_file", "file_path", "relative_workspace_path"],
  };
}
