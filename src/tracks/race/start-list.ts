import type { FieldError } from '#platform/basics/errors.ts'
import { checkedText, firstUse, type ListRow, pathInRow, readCsvRows } from '../api/csv-rows.ts'
import { MAX_USER_ID_LENGTH } from '../model/event-rules.ts'

/** Most runners of an event. */
export const MAX_RUNNERS = 20_000

/** An operator's decision about a runner: did not finish or start, disqualified, over the limit; null for none. */
type RunnerStatus = 'dnf' | 'dns' | 'dsq' | 'over_limit' | null

/** A runner of the start list. */
export type Runner = {
  /** The `user_id` of the runner's tracks. */
  user_id: string
  bib: string
  name: string
  category: string | null
  status: RunnerStatus
  /** Time and place of the status; a file has none. */
  status_at_ms?: number | null
  status_place?: string | null
  /** Phone number, for an organiser who has to reach the runner. */
  phone?: string | null
}

/** The longest texts, in characters. */
const LIMITS = { user_id: MAX_USER_ID_LENGTH, bib: 20, name: 200, category: 100, phone: 40 }
const STATUSES: readonly RunnerStatus[] = ['dnf', 'dns', 'dsq', 'over_limit']

type Field = Exclude<keyof Runner, 'status_at_ms' | 'status_place'> | 'first_name'

/** Spellings of the columns in English and French, in lower case with letters and digits alone. */
const COLUMNS: Record<string, Field> = {
  userid: 'user_id',
  user: 'user_id',
  bib: 'bib',
  bibnumber: 'bib',
  number: 'bib',
  no: 'bib',
  startnumber: 'bib',
  n: 'bib',
  num: 'bib',
  numéro: 'bib',
  numero: 'bib',
  dossard: 'bib',
  ndossard: 'bib',
  nodossard: 'bib',
  numdossard: 'bib',
  numérodedossard: 'bib',
  name: 'name',
  runner: 'name',
  lastname: 'name',
  surname: 'name',
  familyname: 'name',
  nom: 'name',
  nomdefamille: 'name',
  coureur: 'name',
  firstname: 'first_name',
  givenname: 'first_name',
  prénom: 'first_name',
  prenom: 'first_name',
  category: 'category',
  cat: 'category',
  catégorie: 'category',
  categorie: 'category',
  status: 'status',
  statut: 'status',
  phone: 'phone',
  phonenumber: 'phone',
  telephone: 'phone',
  téléphone: 'phone',
  numérodetéléphone: 'phone',
  tel: 'phone',
  tél: 'phone',
  mobile: 'phone',
  portable: 'phone',
}

/** A runner as a list has it. Without a status or a phone number, the runner keeps the present ones. */
export type ListedRunner = Omit<Runner, 'status' | 'status_at_ms' | 'status_place'> & { status?: RunnerStatus }

/** A start list, or its problems: each has the line of the file as its path. */
export type StartList = { runners: ListedRunner[]; errors: FieldError[]; ignoredColumns?: string[] }

type Row = ListRow<Field>
type RawRunner = Row['raw']

/**
 * Reads a start list as CSV (RFC 4180) in UTF-8, UTF-16 or Windows-1252, with a header that names the columns
 * `user_id`, `bib`, `name`, `first_name`, `category`, `phone` and `status`, in any order. Only `bib` and `name` must be
 * there; a first name precedes the name; without `user_id`, it is the bib. An empty status or phone number leaves that
 * of the runner as it is. Other columns are ignored, and named in the result.
 */
export function readStartListCsv(bytes: Uint8Array): StartList {
  let ignoredColumns: string[] = []
  const rows = readCsvRows(bytes, {
    names: COLUMNS,
    ignored: (names) => (ignoredColumns = names),
    missing: (columns) => (['bib', 'name'] as const).filter((column) => !columns.includes(column)),
    empty: 'must have a header line and a line for each runner',
    maxRows: MAX_RUNNERS,
  })
  return { ...checkRunners(rows), ignoredColumns }
}

/** Reads a start list from JSON; its problems have the paths in the body. */
export function readStartListJson(runners: readonly RawRunner[]): StartList {
  return checkRunners(runners.map((raw, i) => ({ place: `runners/${i}`, raw })))
}

/** Checks each runner, and that no bib and no `user_id` is used twice. */
function checkRunners(rows: Row[] | FieldError): StartList {
  if (!Array.isArray(rows)) return { runners: [], errors: [rows] }
  if (rows.length > MAX_RUNNERS) return failed(`must have at most ${MAX_RUNNERS} runners`)
  const errors: FieldError[] = []
  const bibs = new Map<string, string>()
  const users = new Map<string, string>()
  const runners = rows.map(({ place, raw }) => {
    const runner = readRunner(raw, (field, message) => errors.push({ path: pathInRow(place, field), message }))
    const report = (field: 'bib' | 'user_id', first: string | undefined) => {
      if (first !== undefined)
        errors.push({ path: pathInRow(place, field), message: `must be unique, and is also in ${first}` })
    }
    const firstOfBib = firstUse(bibs, runner.bib, place)
    const firstOfUser = firstUse(users, runner.user_id, place)
    report('bib', firstOfBib)
    // A bib that stands for the `user_id` is one mistake, in a column that the list has.
    if (firstOfBib === undefined || runner.user_id !== runner.bib) report('user_id', firstOfUser)
    return runner
  })
  return { runners: errors.length > 0 ? [] : runners, errors }
}

/** Checks one runner; `raw` has the fields that a list has. */
export function checkRunner(raw: RawRunner): { runner: ListedRunner; errors: FieldError[] } {
  const errors: FieldError[] = []
  const runner = readRunner(raw, (field, message) => errors.push({ path: field, message }))
  return { runner, errors }
}

function readRunner(raw: RawRunner, report: (field: Field, message: string) => void): ListedRunner {
  const text = (field: keyof typeof LIMITS, given = raw[field]) =>
    checkedText(given, LIMITS[field], (message) => report(field, message))
  const [bib, category, phone] = [text('bib'), text('category'), text('phone')]
  const name = text('name', [raw.first_name, raw.name].filter((part) => part?.trim()).join(' '))
  if (bib === '') report('bib', 'must not be empty')
  if (name === '') report('name', 'must not be empty')
  const status = (raw.status ?? '').trim().toLowerCase()
  const isKnown = status === '' || STATUSES.includes(status as RunnerStatus)
  if (!isKnown) report('status', 'must be dnf, dns, dsq, over_limit or empty')
  return {
    user_id: text('user_id') || bib,
    bib,
    name,
    category: category || null,
    ...(raw.phone === null ? { phone: null } : phone !== '' && { phone }),
    // Null in JSON takes a status back, which an empty cell of a list does not.
    ...(raw.status === null ? { status: null } : status !== '' && isKnown && { status: status as RunnerStatus }),
  }
}

function failed(message: string): StartList {
  return { runners: [], errors: [{ path: '', message }] }
}
