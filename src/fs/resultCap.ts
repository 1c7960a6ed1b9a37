/** How many results a query wants at most, in whole ones. @throws RangeError for what is no number */
export function resultCap(maxResults = Infinity): number {
  if (Number.isNaN(maxResults)) throw new RangeError("maxResults is not a number: give a whole one, or leave it out");
  return Math.floor(maxResults);
}
