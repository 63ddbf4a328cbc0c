import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'rolldown/utils'
import { ROOT } from './read-imports.ts'

/** A regular expression of the program: its file, its text there, and itself; undefined if only a run can know it. */
export type WrittenExpression = { file: string; text: string; expression: RegExp | undefined }

type SourceFile = { file: string; source: string; program: ReturnType<typeof parseSync>['program'] }
type Constants = ReadonlyMap<string, string>

/** The parts of the syntax tree (ESTree) that are read here. */
type Node = {
  type: string
  start: number
  end: number
  value?: unknown
  name?: string
  expressions?: Node[]
  quasis?: { value: { cooked: string | null } }[]
}

/**
 * Reads every regular expression in the sources of the server: literals, `new RegExp(…)` of constants, and the
 * `pattern` of a schema.
 */
export function readExpressions(): WrittenExpression[] {
  const files = globSync('src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file): SourceFile => {
      const source = readFileSync(join(ROOT, file), 'utf8')
      return { file, source, program: parseSync(file, source).program }
    })
  const constants = new Map(files.flatMap(constantsOf))
  return files.flatMap((file) => expressionsOf(file, constants))
}

/** Constants of text and numbers, which patterns are composed of. Their names are unique enough. */
function constantsOf({ program }: SourceFile): [string, string][] {
  const found: [string, string][] = []
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init?.type === 'Literal') found.push([id.name, String(init.value)])
    },
  }).visit(program)
  return found
}

function expressionsOf({ file, source, program }: SourceFile, constants: Constants): WrittenExpression[] {
  const found: WrittenExpression[] = []
  const add = (node: Node, pattern: string | undefined, flags: string) => {
    const expression = pattern === undefined ? undefined : new RegExp(pattern, flags)
    found.push({ file, text: source.slice(node.start, node.end), expression })
  }
  const addMade = (node: Node, callee: Node, [pattern, flags]: Node[]) => {
    if (callee.name === 'RegExp') add(node, textOf(pattern, constants), textOf(flags, constants) ?? '')
  }
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node, node.regex.pattern, node.regex.flags)
    },
    NewExpression(node) {
      addMade(node, node.callee as Node, node.arguments as Node[])
    },
    CallExpression(node) {
      addMade(node, node.callee as Node, node.arguments as Node[])
    },
    Property({ key, value }) {
      if (key.type !== 'Identifier' || key.name !== 'pattern') return
      const pattern = textOf(value as Node, constants)
      if (pattern !== undefined) add(value as Node, pattern, 'u')
    },
  }).visit(program)
  return found
}

/** Returns the text of a literal, a constant, or a template of them; undefined for anything else. */
function textOf(node: Node | undefined, constants: Constants): string | undefined {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node?.type === 'Identifier') return constants.get(node.name!)
  if (node?.type !== 'TemplateLiteral') return undefined
  const parts = node.quasis!.map(({ value }, i) => {
    const part = node.expressions![i]
    return part === undefined ? value.cooked! : `${value.cooked}${textOf(part, constants) ?? '\0'}`
  })
  return parts.some((part) => part.includes('\0')) ? undefined : parts.join('')
}
