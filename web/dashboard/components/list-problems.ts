import type { ProblemDetails } from '../api/api-error.ts'
import type { Key } from '../i18n/en.ts'

type RuleKey = Extract<Key, `race.rule.${string}`>

/** Something that is wrong in a start list, as the text of a key with its values. */
type StartListProblem = {
  /** Line of the file; undefined for the whole file. */
  line: number | undefined
  field: Field | undefined
  key: RuleKey
  values: Record<string, string | number>
  /** The line as it was given. */
  text: string | undefined
}

/** The columns of a list, and their names in texts. */
const FIELDS = {
  bib: 'bib',
  name: 'name',
  category: 'category',
  user_id: 'userId',
  status: 'status',
  checkpoint: 'checkpoint',
  time: 'time',
} as const
type Field = (typeof FIELDS)[keyof typeof FIELDS]

/** The server words its rules in English for developers; these are the ones about lists in the words of the page. */
const RULES: readonly [pattern: RegExp, key: RuleKey][] = [
  [/^must not be empty/, 'race.rule.empty'],
  [/is also in line (?<first>\d+)/, 'race.rule.twice'],
  [/^must have at most (?<most>\d+) characters/, 'race.rule.long'],
  [/^must have at most (?<most>\d+) (?:runners|participants|times)/, 'race.rule.many'],
  [/^must be dnf/, 'race.rule.status'],
  [/^must name the columns; (?<columns>.+) missing/, 'race.rule.columns'],
  [/^must name each column once; (?<columns>\S+) is/, 'race.rule.columnTwice'],
  [/^must have a (?:header|line)/, 'race.rule.header'],
  [/^must be valid CSV/, 'race.rule.csv'],
  [/another program has lost a letter/, 'race.rule.lostLetter'],
  [/bib of the start list/, 'race.rule.unknownBib'],
  [/name of a checkpoint/, 'race.rule.unknownCheckpoint'],
  [/^must be a time with its zone/, 'race.rule.time'],
  [/control characters/, 'race.rule.control'],
]
/** A line is quoted up to this length. */
const MAX_QUOTED = 80

/** Returns the problems of a start list in its order, each with the line that it is about. */
export function startListProblems(errors: NonNullable<ProblemDetails['errors']>, csv: string): StartListProblem[] {
  const lines = csv.split(/\r\n|\n|\r/)
  return errors.map(({ path, message }) => {
    const place = /^line (?<line>\d+)(?:, (?<field>\w+))?/.exec(path)?.groups
    const line = place?.line === undefined ? undefined : Number(place.line)
    const field = FIELDS[place?.field as keyof typeof FIELDS] as Field | undefined
    const quoted = line === undefined ? undefined : lines[line - 1]?.trim()
    const found = RULES.map(([pattern, key]) => ({ key, match: pattern.exec(message) })).find(
      ({ match }) => match !== null,
    )
    return {
      line,
      field,
      key: found?.key ?? 'race.rule.other',
      values: { ...found?.match?.groups, reason: message },
      text: quoted === undefined || quoted === '' ? undefined : quoted.slice(0, MAX_QUOTED),
    }
  })
}
