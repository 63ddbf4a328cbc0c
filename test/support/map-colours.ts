import type { Page } from 'playwright-core'
import sharp from 'sharp'

/** Waits until the map of a page, or of the preview within it, has a colour on a noticeable part of it. */
export async function seesColour(page: Page, colour: readonly number[]): Promise<void> {
  await seesShare(page, colour, (share) => share > 0.02)
}

/** Waits until a colour covers no more than half of the map. */
export async function seesOtherThan(page: Page, colour: readonly number[]): Promise<void> {
  await seesShare(page, colour, (share) => share < 0.5)
}

async function seesShare(page: Page, colour: readonly number[], isEnough: (share: number) => boolean): Promise<void> {
  const map = page.locator('.map-view').or(page.locator('iframe')).first()
  await map.waitFor()
  for (;;) {
    // The page may replace its map while it loads.
    const picture = await map.screenshot().catch((error: Error) => {
      if (!error.message.includes('not attached')) throw error
      return undefined
    })
    if (picture === undefined) {
      await page.waitForTimeout(100)
      continue
    }
    const { data, info } = await sharp(picture).removeAlpha().raw().toBuffer({ resolveWithObject: true })
    let alike = 0
    for (let i = 0; i < data.length; i += 3)
      if (colour.every((value, channel) => Math.abs(data[i + channel] - value) <= 3)) alike++
    if (isEnough(alike / (info.width * info.height))) return
    // A picture costs as much as some frames of the map that it waits for.
    await page.waitForTimeout(500)
  }
}
