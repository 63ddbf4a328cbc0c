/** Shorter bodies cost the garbage collector nothing worth saving. */
const MIN_ROOM_BYTES = 65_536
/** Longer ones have announced a length that they have not proved, and are rare. */
const MAX_ROOM_BYTES = 4 * 1_048_576
/** Rooms come in multiples of this, so that the next body, a little longer, fits as well. */
const ROOM_STEP_BYTES = 524_288
const MAX_FREE_ROOMS = 4

const freeRooms: Buffer[] = []
const roomsInUse = new WeakMap<ArrayBufferLike, Buffer>()

/** Memory for a body of so many bytes, used before if possible; undefined where it is not worth it. */
export function takeBodyRoom(bytes: number): Buffer | undefined {
  if (!(bytes > MIN_ROOM_BYTES && bytes <= MAX_ROOM_BYTES)) return undefined
  const fitting = freeRooms.findIndex((room) => room.length >= bytes)
  const size = Math.ceil(bytes / ROOM_STEP_BYTES) * ROOM_STEP_BYTES
  const room = fitting === -1 ? Buffer.allocUnsafeSlow(size) : freeRooms.splice(fitting, 1)[0]
  roomsInUse.set(room.buffer, room)
  return room
}

/**
 * Gives the memory of a body back, by whoever has read it to the end and keeps nothing of it: its bytes change with the
 * next request. A body that is never given back is left to the garbage collector.
 */
export function releaseBody(body: Buffer): void {
  const room = roomsInUse.get(body.buffer)
  if (room === undefined) return
  roomsInUse.delete(body.buffer)
  if (freeRooms.length < MAX_FREE_ROOMS) freeRooms.push(room)
}
