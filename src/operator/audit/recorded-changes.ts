/** Fields of requests whose values are recorded: none is secret, a position, or free text about a person. */
const RECORDED = new Set([
  'accepted_erasures',
  'course_length_m',
  'course_name',
  'enabled',
  'ends_on',
  'expires_at',
  'host',
  'keep_sec',
  'label',
  'limited_to',
  'low_battery_percent',
  'max_bytes',
  'max_points',
  'max_publications',
  'max_tracks',
  'name',
  'never_expires',
  'no_signal_after_sec',
  'permissions',
  'race_starts_at',
  'retention_days',
  'role',
  'runners_count',
  'shown_from',
  'shown_until',
  'slug',
  'spectator_delay_sec',
  'starts_on',
  'stated_climb_m',
  'status',
  'time_basis',
  'time_zone',
  'track_id',
  'types',
])

/** Kinds whose titles are recorded. The title of a track is a person's words, and an erasure leaves none of them. */
const TITLED = new Set(['publication', 'workspace'])

/** Lists of things whose names are recorded. Of other lists, it is their length. */
const NAMED_LISTS = new Set(['checkpoints'])

/** Longest value that is kept, as JSON. The limits of an operator may name many events. */
const MAX_VALUE_LENGTH = 2000

/** A value before and after; without `from` if there was none or it is not known, without `to` if it was deleted. */
type RecordedChange = { from?: unknown; to?: unknown }

type Values = Readonly<Record<string, unknown>>

/** Tells whether a body has fields: a file has none, but millions of bytes that would be taken for some. */
export function hasFields(body: unknown): body is Values {
  return typeof body === 'object' && body !== null && !Array.isArray(body) && !ArrayBuffer.isView(body)
}

/** Returns the values that a request changes, limited to fields that may be recorded, with the values before. */
export function recordedChanges(
  kind: string,
  body: unknown,
  before: Values | undefined,
): Record<string, RecordedChange> {
  if (!hasFields(body)) return {}
  const known = recordedValues(kind, before)
  const changes = recordable(kind, body).flatMap(([name, to]): [string, RecordedChange][] => {
    const from = known[name]
    if (JSON.stringify(from) === JSON.stringify(to)) return []
    return [[name, from === undefined ? { to } : { from, to }]]
  })
  return Object.fromEntries(changes)
}

/** Returns the values that a deletion takes away, of the fields that may be recorded. */
export function recordedLosses(kind: string, before: Values | undefined): Record<string, RecordedChange> {
  const losses = Object.entries(recordedValues(kind, before)).filter(([, from]) => from !== null)
  return Object.fromEntries(losses.map(([name, from]) => [name, { from }]))
}

/** Returns those values of a thing that may be recorded. */
export function recordedValues(kind: string, values: Values = {}): Values {
  return Object.fromEntries(recordable(kind, values))
}

/** Returns the values that may be recorded: of an address its host alone, because the rest may be a secret. */
function recordable(kind: string, { url, ...values }: Values): [string, unknown][] {
  const host = typeof url === 'string' && URL.canParse(url) && { host: new URL(url).host }
  const known = Object.entries({ ...values, ...host })
  const lists = known.flatMap(([name, value]) =>
    Array.isArray(value) && !RECORDED.has(name) ? [recordableList(name, value)] : [],
  )
  const others = known.filter(
    ([name, value]) =>
      (RECORDED.has(name) || (name === 'title' && TITLED.has(kind))) &&
      // The labels of runners and of people's tokens are names.
      !((name === 'label' || name === 'name') && (values.user_id != null || values.bib != null)) &&
      value !== undefined &&
      JSON.stringify(value).length <= MAX_VALUE_LENGTH,
  )
  return [...others, ...lists]
}

/** Returns the names in a list where they are recorded, and are not too many, or else its length. */
function recordableList(name: string, items: readonly unknown[]): [string, unknown] {
  const names = NAMED_LISTS.has(name)
    ? items.map((item) => (item as { name?: unknown } | null)?.name ?? null)
    : undefined
  if (names !== undefined && JSON.stringify(names).length <= MAX_VALUE_LENGTH) return [name, names]
  return [`${name}_count`, items.length]
}
