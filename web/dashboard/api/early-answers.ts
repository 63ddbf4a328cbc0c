/** Answers that were asked for before the program needs them, by their paths. Each is taken once. */
const answers = new Map<string, { answer: Promise<Response>; askedAtMs: number }>()
/** Older answers are asked for again. */
const FRESH_MS = 60_000

/**
 * Sends a request for which the program has yet to come: on a slow line, each question takes as long as 20 kB of the
 * program.
 */
export function askEarly(path: string): Promise<Response> {
  const answer = fetch(path)
  // A page that needs the answer asks again.
  answer.catch(() => {})
  answers.set(path, { answer, askedAtMs: performance.now() })
  return answer
}

/** Asks for the latest frame at an address of frames, the one of `latest` without its last part. */
export function askFramesEarly(frames: string): void {
  const ask = async () => {
    const latest = await askEarly(`${frames}/latest`)
    if (!latest.ok) return
    const { key } = (await latest.clone().json()) as { key: number }
    askEarly(`${frames}/${key}?whole=true`)
  }
  void ask().catch(() => {})
}

/** Sends a request, unless it was sent early. An answer from before somebody signed in is not taken. */
export const fetchEarly: typeof fetch = async (input, init) => {
  if (answers.size === 0 || (input instanceof Request && input.method !== 'GET')) return await fetch(input, init)
  const { pathname, search } = new URL(input instanceof Request ? input.url : input, location.href)
  const early = answers.get(pathname + search)
  if (early === undefined) return await fetch(input, init)
  answers.delete(pathname + search)
  if (performance.now() - early.askedAtMs > FRESH_MS) return await fetch(input, init)
  const answer = await early.answer.catch(() => undefined)
  return answer === undefined || answer.status === 401 ? await fetch(input, init) : answer
}

/** Drops the answers that nobody has taken, as when another person may sign in. */
export function forgetEarly(): void {
  answers.clear()
}
