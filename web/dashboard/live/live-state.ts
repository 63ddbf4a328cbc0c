/** The state of a live stream: `opening` until the snapshot is complete, `waiting` while the browser reconnects. */
export type LiveState = 'opening' | 'live' | 'waiting' | 'closed' | 'ended'
