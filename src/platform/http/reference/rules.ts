import { isNullable, type Schema, typesOf } from './schema.ts'

/** A bound that only keeps integers exact; the page does not show it. */
const NO_BOUND = Number.MAX_SAFE_INTEGER

/** Describes the type of a value: `string or null`, `array of Point` if Point `isShared`, else `array of objects`. */
export function typeWords(schema: Schema, isShared: boolean): string {
  const base =
    schema.items === undefined ? singleWords(schema, isShared) : `array of ${itemWords(schema.items, isShared)}`
  return isNullable(schema) ? `${base} or null` : base
}

function itemWords(schema: Schema, isShared: boolean): string {
  return isShared ? schema.title! : `${singleWords(schema, false)}s`
}

function singleWords(schema: Schema, isShared: boolean): string {
  if (isShared) return schema.title!
  if (schema.format === 'date-time') return 'date-time'
  if (schema.format === 'uuid') return 'UUID'
  return typesOf(schema).join(' or ')
}

/** Describes the rules for a value: `1 to 100 characters`, `one of run, walk`. */
export function ruleWords(schema: Schema): string[] {
  return [
    choiceWords(schema),
    rangeWords(schema.minLength, schema.maxLength, ' characters'),
    rangeWords(schema.minimum, schema.maximum, ''),
    rangeWords(undefined, schema.maxItems, ' items'),
  ].filter((words) => words !== undefined)
}

function choiceWords({ enum: choices }: Schema): string | undefined {
  const named = choices?.filter((choice) => choice !== null)
  if (named === undefined) return undefined
  return named.length === 1 ? `always \`${named[0]}\`` : `one of ${named.map((choice) => `\`${choice}\``).join(', ')}`
}

function rangeWords(min: number | undefined, max: number | undefined, unit: string): string | undefined {
  const high = max === undefined || max >= NO_BOUND ? undefined : max
  if (min === undefined && high === undefined) return undefined
  if (min === undefined) return `at most ${shown(high!)}${unit}`
  if (high === undefined) return `at least ${shown(min)}${unit}`
  return `${shown(min)} to ${shown(high)}${unit}`
}

function shown(value: number): string {
  return value.toLocaleString('en-US').replace('-', '−')
}
