/** What opens mounts whose files come from elsewhere, loaded when the first of them is. */
export { archiveEntries, packageEntries, urlEntries } from "../archive";
export { directorySource, hostSource, mirrorFs, openSharedFs, overlayFs, s3Files, webdavFiles } from "../fs";
