import type { Page } from "@playwright/test";

/** Gives an origin this much storage for as long as the page is open; before it has any, as the browser counts ahead. */
export async function limitStorage(page: Page, address: string, quotaSize: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Storage.overrideQuotaForOrigin", { origin: new URL(address).origin, quotaSize });
}
