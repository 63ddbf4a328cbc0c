/**
 * Silence, in seconds, after which a track in progress is shown without a signal, unless its event says
 * otherwise: phones send every 5 to 30 seconds.
 */
export const DEFAULT_NO_SIGNAL_AFTER_SEC = 300
/** Charge, in per cent, at or below which a phone's battery is shown as low, unless the event says otherwise. */
export const DEFAULT_LOW_BATTERY_PERCENT = 15
