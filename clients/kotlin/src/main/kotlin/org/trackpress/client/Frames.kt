package org.trackpress.client

import java.util.SortedMap
import java.util.TreeMap

/** A track as frames show it: positions to a meter, times to a second. */
data class FrameTrack(
    val id: String,
    val state: State,
    /** Time of the last visible point in milliseconds since 1970; null without one, as are the next two. */
    val timeMs: Long?,
    val latitude: Double?,
    val longitude: Double?,
    /** Direction of movement in degrees; null if it is unknown. */
    val heading: Double?,
    /** Speed in meters per second; null if it is unknown, as after a silence. */
    val speedMps: Double?,
    /** Rank in the race; null without one. */
    val rank: Int?,
    /** Changes with what the list of tracks says and frames do not, such as the title. */
    val details: Int,
    /** Charge of the phone in per cent; null if it is unknown, and for spectators. */
    val battery: Int?,
)

/** A frame that has been read. */
class Frame(
    val number: Long,
    /** Time of the state that it shows, in milliseconds since 1970 by the server's clock. */
    val asOfMs: Long,
    val delaySec: Long,
    /** Older tracks of the event that no frame has. */
    val leftOut: Long,
    /** True if it has all tracks. */
    val isWhole: Boolean,
    /** The tracks that it has: those that differ from the frame before, or all. */
    val changed: List<FrameTrack>,
    /** The tiles that it has the tracks of; null for a frame of the whole event. */
    val tiles: List<Tile>? = null,
)

/** The bytes are no frame that this version can read. */
class FrameException(message: String) : Exception(message)

private const val UNITS_PER_DEGREE = 100_000
private const val HEADING_STEP_DEG = 1.5
/** Steps of speeds: the first so many are fine, all others coarse. */
private const val FINE_STEPS = 128
private const val FINE_STEP_MPS = 0.05
private const val COARSE_STEP_MPS = 0.2
private const val MAX_PLACES = 1L shl 24

/**
 * Reads the frames of one share, one after another, or those of one [tile]. The format is that of `docs/live-frames.md`.
 */
class FrameReader(private val tile: Tile? = null) {
    private var keyNumber = 0L
    private var keyPlaces: Map<Int, FrameTrack> = emptyMap()
    /** Tracks by their places. Of a tile not every place has one. */
    private var places: SortedMap<Int, FrameTrack> = TreeMap()

    /** Number of the latest frame; null before the first. */
    var number: Long? = null
        private set

    /** All tracks as of the latest frame. */
    val tracks: List<FrameTrack> get() = places.values.toList()

    /** Number of tracks as of the latest frame. */
    val count: Int get() = places.size

    /**
     * Takes the next frame. Returns null, with nothing changed, if frames between are missing: then go on with the newest
     * whole frame. Throws [FrameException], with nothing changed.
     */
    fun take(bytes: ByteArray): Frame? {
        val input = FrameInput(bytes)
        val header = FrameHeader(input)
        // The tracks as of a key frame are known to whoever has read the frames up to it.
        val before = when {
            header.isWhole -> emptyMap()
            header.previous == null || header.previous != number -> return null
            header.key == number -> places
            header.key == keyNumber -> keyPlaces
            else -> return null
        }
        if (header.known != before.size.toLong()) throw FrameException("The frame refers to another key frame.")
        val read = readTracks(input, header, before)
        val after: SortedMap<Int, FrameTrack> = if (header.isWhole) TreeMap() else TreeMap(places)
        for ((place, track) in read) {
            if (tile == null || track in tile) after[place] = track else after.remove(place)
        }
        keyPlaces = if (header.isWhole) after else before
        keyNumber = header.key
        places = after
        number = header.number
        return Frame(header.number, header.asOfMs, header.delaySec, header.leftOut, header.isWhole, read.map { it.second })
    }
}

private class FrameInput(private val bytes: ByteArray) {
    private var at = 0

    val left get() = bytes.size - at

    fun byte(): Int {
        if (at == bytes.size) throw FrameException("The frame is cut off.")
        return bytes[at++].toInt() and 255
    }

    fun unsigned(): Long {
        var value = 0L
        for (i in 0 until 8) {
            val group = byte()
            value = value or ((group and 127).toLong() shl (7 * i))
            if (group < 128) return value
        }
        throw FrameException("A number of the frame is too long.")
    }

    fun signed(): Long {
        val value = unsigned()
        return if (value % 2 == 0L) value / 2 else -(value + 1) / 2
    }

    /** Reads the sixteen bytes of a UUID. */
    fun id(): String {
        val hex = List(16) { byte().toString(16).padStart(2, '0') }.joinToString("")
        return listOf(hex.take(8), hex.substring(8, 12), hex.substring(12, 16), hex.substring(16, 20), hex.drop(20)).joinToString("-")
    }
}

private class FrameHeader(input: FrameInput) {
    val isWhole: Boolean
    val hasBattery: Boolean
    val hasSpeed: Boolean
    val number: Long
    val previous: Long?
    val key: Long
    val asOfMs: Long
    val delaySec: Long
    val leftOut: Long
    val count: Int
    val known: Long
    val added: Int

    init {
        if (input.byte() != 0x54 || input.byte() != 0x46 || input.byte() != 1) {
            throw FrameException("This is no frame of a known version.")
        }
        val flags = input.byte()
        isWhole = flags and 1 != 0
        hasBattery = flags and 2 != 0
        hasSpeed = flags and 4 != 0
        number = input.unsigned()
        previous = input.unsigned().let { back -> if (back == 0L) null else number - back }
        key = number - input.unsigned()
        asOfMs = input.unsigned()
        delaySec = input.unsigned()
        leftOut = input.unsigned()
        val (counted, before, others) = List(3) { input.unsigned() }
        // A track takes at least two bytes.
        if (counted > input.left / 2 || others > counted) throw FrameException("The frame is cut off.")
        count = counted.toInt()
        known = before
        added = others.toInt()
    }
}

/** Reads the columns of a frame. Returns its tracks with their places. */
private fun readTracks(input: FrameInput, header: FrameHeader, before: Map<Int, FrameTrack>): List<Pair<Int, FrameTrack>> {
    val all = 0 until header.count
    val ids = List(header.added) { input.id() }
    var next = 0L
    val places = all.map {
        next += input.unsigned() + 1
        if (next > MAX_PLACES) throw FrameException("The frame has a place that no track has.")
        (next - 1).toInt()
    }
    val known = places.map(before::get)
    if (known.count { it == null } != header.added) throw FrameException("The frame has a place that no track has.")
    val bits = all.map { input.byte() }
    if (bits.any { it and 3 == 3 }) throw FrameException("The frame has a state that no track has.")
    val moved = all.filter { bits[it] and 4 != 0 }
    val ages = moved.map { input.signed() }
    fun axis(of: (FrameTrack) -> Double?): List<Long> {
        var last = 0L
        return moved.map { i ->
            val base = if (header.isWhole) last else Math.round((known[i]?.let(of) ?: 0.0) * UNITS_PER_DEGREE)
            last = base + input.signed()
            last
        }
    }
    val latitudes = axis(FrameTrack::latitude)
    val longitudes = axis(FrameTrack::longitude)
    val headings = moved.map { input.byte() }
    val ranks = all.map { i -> if (bits[i] and 8 != 0) input.unsigned().toInt() else known[i]?.rank ?: 0 }
    val details = all.map { i -> if (bits[i] and 16 != 0) input.byte() * 256 + input.byte() else known[i]?.details ?: 0 }
    val batteries = all.map { if (header.hasBattery) input.byte() else 0 }
    val speeds = all.map { i -> if (header.hasSpeed) (input.byte() + speedStep(known[i]?.speedMps)) and 255 else 0 }
    val movedAt = moved.withIndex().associate { (j, i) -> i to j }
    val newIds = ids.iterator()
    return all.map { i ->
        val j = movedAt[i]
        places[i] to FrameTrack(
            id = known[i]?.id ?: newIds.next(),
            state = State.values()[bits[i] and 3],
            timeMs = j?.let { (header.asOfMs / 1000 - ages[it]) * 1000 },
            latitude = j?.let { latitudes[it].toDouble() / UNITS_PER_DEGREE },
            longitude = j?.let { longitudes[it].toDouble() / UNITS_PER_DEGREE },
            heading = j?.let { headings[it] }?.takeIf { it > 0 }?.let { (it - 1) * HEADING_STEP_DEG },
            speedMps = speeds[i].takeIf { it > 0 }?.let(::speedOf),
            rank = ranks[i].takeIf { it > 0 },
            details = details[i],
            battery = batteries[i].takeIf { it > 0 }?.minus(1),
        )
    }
}

/** Returns the meters per second of a step of a speed, from 1. */
private fun speedOf(step: Int): Double {
    val fine = minOf(step - 1, FINE_STEPS)
    return Math.round(100 * (fine * FINE_STEP_MPS + (step - 1 - fine) * COARSE_STEP_MPS)) / 100.0
}

/** Returns the step of a speed that was read; 0 for an unknown one. */
private fun speedStep(speedMps: Double?): Int {
    if (speedMps == null) return 0
    val fine = minOf(speedMps, FINE_STEPS * FINE_STEP_MPS)
    return 1 + Math.round(fine / FINE_STEP_MPS).toInt() + Math.round((speedMps - fine) / COARSE_STEP_MPS).toInt()
}
