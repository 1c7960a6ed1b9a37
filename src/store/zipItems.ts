import type { ImportItem } from "./importFiles";

/** The entries of a zip as items to import; what reads them is loaded with the first. @throws ArchiveError */
export async function* zipItems(zip: Blob): AsyncGenerator<ImportItem> {
  const { itemsFromZip } = await import("./importFiles");
  yield* itemsFromZip(zip);
}
