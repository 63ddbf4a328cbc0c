import { originalStack } from '#platform/basics/logger.ts'

/** A function in a profile. Lines and columns count from 0. */
type CallFrame = { functionName: string; url: string; lineNumber?: number; columnNumber?: number }

/** The part of a processor profile that is used here: a tree of calls, and which of them each sample was in. */
export type StepProfile = {
  nodes: { id: number; callFrame: CallFrame; children?: number[] }[]
  samples: number[]
  /** Microseconds between the samples. */
  timeDeltas: number[]
}

/** Purposes of the parts of Node.js. */
const NODE_MODULES: readonly (readonly [name: RegExp, step: string])[] = [
  [/^node:(_http|internal\/http|http)/, 'Node.js: HTTP'],
  [
    /^node:(net|internal\/net|stream|internal\/stream|internal\/js_stream|buffer|internal\/buffer)/,
    'Node.js: sockets and streams',
  ],
  [
    /^node:(worker_threads|internal\/worker|internal\/per_context\/messageport|internal\/event_target)/,
    'Node.js: messages between threads',
  ],
  [/^node:/, 'Node.js: turns, timers and the rest'],
]

const NATIVE = 'outside of JavaScript: system calls, parsing of HTTP'
const COLLECTOR = 'garbage collection'
const IDLE = '(idle)'

/** Steps are folders, or single functions where one folder has most of the work. */
type Detail = 'by folder' | 'by function'

/** Returns the share of each step in the time that a thread was busy, the largest first. */
export function stepShares({ nodes, samples, timeDeltas }: StepProfile, detail: Detail): Map<string, number> {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)))
  const steps = new Map<number, string>()
  const spent = new Map<string, number>()
  let busyUs = 0
  for (const [i, id] of samples.entries()) {
    const step = steps.get(id) ?? stepOf(id)
    steps.set(id, step)
    if (step === IDLE) continue
    busyUs += timeDeltas[i]
    spent.set(step, (spent.get(step) ?? 0) + timeDeltas[i])
  }
  return new Map([...spent].sort(([, a], [, b]) => b - a).map(([step, us]) => [step, us / busyUs]))

  /** A native function belongs to the nearest caller that has a file. */
  function stepOf(id: number): string {
    const called = byId.get(id)!.callFrame
    for (let at: number | undefined = id; at !== undefined; at = parentOf.get(at)) {
      const { callFrame } = byId.get(at)!
      const { functionName } = callFrame
      const url = fileOf(callFrame)
      if (url !== '' && detail === 'by folder') return stepOfFile(url)
      if (url !== '') return stepOfFunction(url, functionName, called.url === '' ? called.functionName : undefined)
      if (functionName === IDLE) return IDLE
      if (functionName === '(garbage collector)') return COLLECTOR
    }
    return NATIVE
  }
}

/** Returns the file that a function was written in, also when that was bundled with others. */
function fileOf({ url, lineNumber = 0, columnNumber = 0 }: CallFrame): string {
  const place = originalStack(`${url}:${lineNumber + 1}:${columnNumber + 1}`)
  return url === '' ? '' : place.replace(/:\d+:\d+$/, '')
}

function stepOfFunction(url: string, name: string, native: string | undefined): string {
  const file = /([^/]*?)(?:\.[jt]s)?$/.exec(url)![1]
  return `${file}: ${name === '' ? 'a function without a name' : name}${native === undefined ? '' : `, ${native}()`}`
}

/** Returns the step that a file belongs to: a folder of the program, a package, or a part of Node.js. */
export function stepOfFile(url: string): string {
  const own = /\/(?:src|dist\/server)\/((?:(?!node_modules).)*)\/[^/]*$/.exec(url)
  if (own !== null) return own[1]
  const installed = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)
  if (installed !== null) return `package ${installed[1]}`
  return NODE_MODULES.find(([pattern]) => pattern.test(url))?.[1] ?? 'the program’s own start'
}
