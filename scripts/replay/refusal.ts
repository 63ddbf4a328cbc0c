import type { Answer, ApiRequest } from './exchange.ts'

type Problem = { code?: string; detail?: string; title?: string; errors?: { path: string; message: string }[] }

const HINTS: Record<number, string> = {
  401: 'Is it the token of an event of this server? npm run --silent admin -- events list',
  404: 'Is this the address of a track service, and is the track still there?',
}

/** Explains a refusal by the server to the person at the keyboard. */
export function refusal({ method, path }: ApiRequest, { status, json }: Answer): string {
  const { code = '', detail, title, errors = [] } = (json ?? {}) as Problem
  const reason = detail ?? title
  return [
    `The server refuses ${method} ${path}: ${`${status} ${code}`.trim()}${reason === undefined ? '' : `, ${reason}`}`,
    ...errors.map(({ path: place, message }) => `  ${place}: ${message}`),
    ...(status in HINTS ? [HINTS[status]] : []),
  ].join('\n')
}
