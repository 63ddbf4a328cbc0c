import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'

/** A command line taken apart: options with their values, the other words, and what is wrong with it. */
export type SplitArguments = { given: Map<string, string>; words: string[]; problems: string[] }

/** Takes a command line apart without stopping at the first mistake, as the strict way of `parseArgs` would. */
export function splitArguments(args: readonly string[], options: ParseArgsOptionsConfig): SplitArguments {
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true })
  const split: SplitArguments = { given: new Map(), words: [], problems: [] }
  for (const token of tokens) {
    if (token.kind === 'positional') split.words.push(token.value)
    if (token.kind !== 'option') continue
    if (!Object.hasOwn(options, token.name)) split.problems.push(`${token.rawName} is not an option`)
    else if (options[token.name].type === 'string' && token.value === undefined)
      split.problems.push(`--${token.name} needs a value`)
    else split.given.set(token.name, token.value ?? '')
  }
  return split
}

/** The address of a server, without a slash at its end; what is wrong with it is added to `problems`. */
export function readServer(text: string | undefined, problems: string[]): string {
  const url = URL.parse(text ?? 'http://localhost:8080')
  const isAddress = url !== null && ['http:', 'https:'].includes(url.protocol) && url.search === '' && url.hash === ''
  if (isAddress) return url.href.replace(/\/+$/, '')
  problems.push(`--server must be an http or https address (it is ${JSON.stringify(text)})`)
  return ''
}
