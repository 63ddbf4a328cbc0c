import type { Share } from './share.ts'

/** Answers that were asked for before the program needs them, by their paths. Each is taken once. */
const answers = new Map<string, { answer: Promise<Response>; askedAtMs: number }>()
/** Older answers are asked for again. */
const FRESH_MS = 60_000

/**
 * Asks for the first data of the live map, while its program has yet to come: on a slow line, each question takes as
 * long as 20 kB of the program.
 */
export function askEarly({ token, view, hasCourse }: Share): void {
  const share = `/shares/${encodeURIComponent(token)}`
  void askFrames(`${share}/frames`).catch(() => {})
  ask(`${share}/tracks?limit=500`)
  if (view.kind !== 'event') return
  if (hasCourse) ask(`${share}/course`)
  ask(`${share}/ranking`)
}

/** Sends a request, unless it was sent early. */
export const fetchEarly: typeof fetch = async (input, init) => {
  const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.href)
  const early = answers.get(pathname + search)
  if (early === undefined) return await fetch(input, init)
  answers.delete(pathname + search)
  if (performance.now() - early.askedAtMs > FRESH_MS) return await fetch(input, init)
  return await early.answer.catch(() => fetch(input, init))
}

async function askFrames(frames: string): Promise<void> {
  const latest = await ask(`${frames}/latest`)
  const { key } = (await latest.clone().json()) as { key: number }
  ask(`${frames}/${key}?whole=true`)
}

function ask(path: string): Promise<Response> {
  const answer = fetch(path)
  // The map asks again.
  answer.catch(() => {})
  answers.set(path, { answer, askedAtMs: performance.now() })
  return answer
}
