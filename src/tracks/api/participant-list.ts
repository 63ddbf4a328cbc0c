import type { FieldError } from '#platform/basics/errors.ts'
import { MAX_USER_ID_LENGTH } from '../model/event-rules.ts'
import { checkedText, firstUse, type ListRow, pathInRow, readCsvRows } from './csv-rows.ts'

/** Most participants of one request: the QR codes of more fill no printer's day. */
const MAX_PARTICIPANTS = 5000

/** Someone who gets a token of their own. */
type Participant = {
  /** The `user_id` that their tracks get. */
  user_id: string
  /** Shown in the list of tokens and below the QR code; null for none. */
  name: string | null
}

/** The longest texts, in code points, as tokens and tracks have them. */
const LIMITS = { user_id: MAX_USER_ID_LENGTH, bib: 255, name: 200 }

type Field = keyof typeof LIMITS
type Row = ListRow<Field>

/** Spellings of the columns, in lower case with letters and digits alone. */
const COLUMNS: Record<string, Field> = {
  userid: 'user_id',
  user: 'user_id',
  id: 'user_id',
  bib: 'bib',
  bibnumber: 'bib',
  number: 'bib',
  dossard: 'bib',
  name: 'name',
  runner: 'name',
  nom: 'name',
}

/** The columns of a list without a header. */
const PLAIN_COLUMNS: readonly Field[] = ['user_id', 'name']

/** Participants, or their problems: each has the line of the file as its path. */
export type ParticipantList = { participants: Participant[]; errors: FieldError[] }

/**
 * Reads participants from CSV. With a header it names the columns `user_id` and `name`, in any order; without
 * `user_id`, the column `bib` is taken, so that a start list can be used as it is. A list without a header has the
 * `user_id` and then, if it likes, the name.
 */
export function readParticipantsCsv(bytes: Uint8Array): ParticipantList {
  const rows = readCsvRows(bytes, {
    names: COLUMNS,
    missing: (columns) => (columns.includes('user_id') || columns.includes('bib') ? [] : ['user_id']),
    plain: PLAIN_COLUMNS,
    empty: 'must have a line for each participant',
    maxRows: MAX_PARTICIPANTS,
  })
  return checkParticipants(rows)
}

/** Reads participants from JSON; their problems have the paths in the body. */
export function readParticipantsJson(
  participants: readonly { user_id: string; name?: string | null }[],
): ParticipantList {
  return checkParticipants(participants.map((raw, i) => ({ place: `participants/${i}`, raw })))
}

/** Checks each participant, and that no `user_id` is there twice. */
function checkParticipants(rows: Row[] | FieldError): ParticipantList {
  if (!Array.isArray(rows)) return { participants: [], errors: [rows] }
  if (rows.length === 0) return failed('must have a line for each participant')
  if (rows.length > MAX_PARTICIPANTS) return failed(`must have at most ${MAX_PARTICIPANTS} participants`)
  const errors: FieldError[] = []
  const places = new Map<string, string>()
  const participants = rows.map(({ place, raw }) => {
    const report = (field: Field, message: string) => errors.push({ path: pathInRow(place, field), message })
    const text = (field: Field) => checkedText(raw[field], LIMITS[field], (message) => report(field, message))
    const userId = text('user_id') || text('bib')
    const first = firstUse(places, userId, place)
    if (userId === '') report('user_id', 'must not be empty')
    else if (first !== undefined) report('user_id', `must be unique, and is also in ${first}`)
    return { user_id: userId, name: text('name') || null }
  })
  return { participants: errors.length > 0 ? [] : participants, errors }
}

function failed(message: string): ParticipantList {
  return { participants: [], errors: [{ path: '', message }] }
}
