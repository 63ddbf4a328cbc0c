import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** A parsed command line: options with their values, other words, and problems. */
export type SplitArguments = { given: Map<string, string>; words: string[]; problems: string[] }

/** Parses a command line without stopping at the first mistake, as strict `parseArgs` would. */
export function splitArguments(args: readonly string[], options: ParseArgsOptionsConfig): SplitArguments {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const split: SplitArguments = { given: new Map(), words: [], problems: [] }
  for (const token of tokens) {
    if (token.kind === 'positional') split.words.push(token.value)
    if (token.kind !== 'option') continue
    if (!Object.hasOwn(options, token.name)) split.problems.push(`${token.rawName} is not an option`)
    else if (options[token.name].type === 'string' && token.value === undefined)
      split.problems.push(`--${token.name} needs a value`)
    else if (options[token.name].type === 'boolean' && token.value !== undefined)
      split.problems.push(`--${token.name} takes no value`)
    else split.given.set(token.name, token.value ?? '')
  }
  return split
}

/** Parses a server's address, which an option has, and removes trailing slashes. Adds mistakes to `problems`. */
export function readServer(text: string | undefined, problems: string[], option = 'server'): string {
  const url = URL.parse(text ?? 'http://localhost:8080')
  const isAddress = url !== null && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === ''
  if (isAddress) return url.href.replace(/\/+$/, '')
  problems.push(`--${option} must be an http or https address (it is ${JSON.stringify(text)})`)
  return ''
}
