export const TRACK_STATES = ['running', 'paused', 'stopped'] as const

export type TrackState = (typeof TRACK_STATES)[number]
