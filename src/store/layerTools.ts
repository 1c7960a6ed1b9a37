/** What lays trees over one another, loaded when it is first needed. */
export { overlayFs } from "../fs";
