import { loadSharp } from '#platform/basics/load-sharp.ts'
import { type WorkClient, WorkQueue, type WorkQueueLimits } from '#platform/jobs/work-queue.ts'

/** Name of the image of a page for previews of links, beside the names of its forms. */
export const PREVIEW_CARD = 'card.jpg'

/** The size that chats and social networks show without cutting (https://ogp.me). */
export const CARD_SIZE = { width: 1200, height: 630 }

const MARGIN = 30
const QUALITY = 82
/** The ground is darker than the page, whose edge would not be seen otherwise. */
const GROUND_BRIGHTNESS = 0.8
/** The ground is made from so few pixels of the page that only its colours are left. */
const GROUND_PIXELS = { width: 24, height: 12 }

/** A card takes some 30 ms of one core. Clients that ask for many wait for each other. */
const LIMITS: WorkQueueLimits = { running: 1, waiting: 64, waitingPerCaller: 8 }

/** Makes cards from the images of pages. */
export function createPreviewCards() {
  const queue = new WorkQueue<Buffer>(LIMITS)
  return {
    /** Returns a JPEG of `CARD_SIZE` with the whole page in it. Rejects with QueueFullError if too many wait. */
    make: (key: string, page: Buffer, client: WorkClient): Promise<Buffer> =>
      queue.do(key, client, () => drawCard(page)),
    close: () => queue.close(),
  }
}

/** Draws a page as a whole, on a ground in its own colours. */
async function drawCard(page: Buffer): Promise<Buffer> {
  const sharp = await loadSharp()
  const inner = { width: CARD_SIZE.width - 2 * MARGIN, height: CARD_SIZE.height - 2 * MARGIN }
  const tiny = await sharp(page)
    .resize({ ...GROUND_PIXELS, fit: 'cover' })
    .linear(GROUND_BRIGHTNESS)
    .png()
    .toBuffer()
  const whole = await sharp(page)
    .resize({ ...inner, fit: 'inside' })
    .png({ compressionLevel: 1 })
    .toBuffer()
  return await sharp(tiny)
    .resize({ ...CARD_SIZE, fit: 'fill', kernel: 'cubic' })
    .composite([{ input: whole }])
    .jpeg({ quality: QUALITY })
    .toBuffer()
}
