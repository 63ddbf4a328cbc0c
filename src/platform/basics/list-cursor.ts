import { invalidFields } from './errors.ts'

/** Writes and reads the opaque cursors of one list. A payload is the position after which the next page begins. */
type CursorCodec<Payload extends object> = {
  encode(payload: Payload): string
  /** @throws invalidFields for a text that is not a cursor of this list in this order. */
  decode(cursor: string): Payload
}

/**
 * Creates the codec for one list. `order` names the list's order and is part of each cursor: in another order the
 * position would be meaningless. `isPayload` checks the payload of a client before it reaches the database.
 */
export function createCursorCodec<Payload extends object>(
  order: string,
  isPayload: (payload: Partial<Record<keyof Payload, unknown>>) => boolean,
): CursorCodec<Payload> {
  return {
    encode: (payload) => Buffer.from(JSON.stringify([order, payload])).toString('base64url'),

    decode(cursor) {
      const { ofOrder, payload } = parseCursor(Buffer.from(cursor, 'base64url').toString())
      if (ofOrder === order && isPayload(payload as Payload)) return payload as Payload
      throw invalidFields([{ path: 'cursor', message: 'must be a next_cursor of this list, in the same order' }])
    },
  }
}

/** Tells whether a text can be a query parameter; PostgreSQL refuses U+0000. */
export function isCursorText(value: unknown): boolean {
  return typeof value === 'string' && !value.includes('\0')
}

/**
 * Splits rows, of which one more than `limit` was asked for, into one page and the cursor of the next; null on the last
 * page.
 */
export function pageOf<Row, Payload extends object>(
  found: readonly Row[],
  limit: number,
  codec: CursorCodec<Payload>,
  positionOf: (row: Row) => Payload,
): { rows: Row[]; nextCursor: string | null } {
  const rows = found.slice(0, limit)
  const last = rows.at(-1)
  return { rows, nextCursor: found.length > limit && last !== undefined ? codec.encode(positionOf(last)) : null }
}

function parseCursor(json: string): { ofOrder?: unknown; payload: object } {
  try {
    const [ofOrder, payload]: unknown[] = JSON.parse(json)
    return { ofOrder, payload: typeof payload === 'object' && payload !== null ? payload : {} }
  } catch {
    return { payload: {} }
  }
}
