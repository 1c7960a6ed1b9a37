/** What packs and unpacks, loaded when it is first needed. */
export { zipEntries, zipFromEntries } from "../archive";
