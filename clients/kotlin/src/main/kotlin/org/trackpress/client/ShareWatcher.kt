package org.trackpress.client

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import org.json.JSONException
import org.json.JSONObject

/** The share does not exist (404), or has ended (410). */
class ShareEndedException(val status: Int) : Exception("The share has ended ($status).")

/** Events of more tracks are read by tile where a part of the map is shown. */
private const val MANY_TRACKS = 5000
/** Time after which all tracks are read again: of those outside of the tiles nothing else is heard. */
private const val ALL_MS = 120_000L
/** Viewers do not all ask at the same moment. */
private const val SPREAD_MS = 30_000

/**
 * Follows the positions of a share over lost connections, and begins anew where frames are missing, as after a sleep.
 * Call it on a background thread.
 *
 * [tiles] returns the part of the world that is shown, such as [Tile.covering] the area of a map; null for all of it. It
 * is asked before new frames are read, and counts for events of more than 5,000 tracks.
 */
class ShareWatcher(
    baseUrl: String,
    shareToken: String,
    private val tiles: () -> List<Tile>? = { null },
    private val pause: (Long) -> Unit = Thread::sleep,
) {
    private val framesUrl = "$baseUrl/shares/$shareToken/frames"
    private val reader = FrameReader()
    private val tileReader = TileReader(::read)
    private val byId = LinkedHashMap<String, FrameTrack>()
    private var allUntilMs = 0L

    /** All tracks as of the latest frame; those outside of the tiles as of up to two and a half minutes before. */
    val tracks: List<FrameTrack> get() = byId.values.toList()

    /** Calls back with each frame until [onFrame] returns false. Throws [ShareEndedException]. */
    fun watch(onFrame: (Frame) -> Boolean) {
        var failures = 0
        while (true) {
            val waitMs = try {
                val latest = JSONObject(read("latest")?.decodeToString() ?: throw ShareEndedException(404))
                for (frame in newFrames(latest)) {
                    if (!onFrame(frame)) return
                }
                failures = 0
                // Everybody asks at another moment after a frame is due, by when most caches have it.
                val untilDueMs = latest.getLong("interval_sec") * 1000 - latest.getLong("lag_ms")
                maxOf(500, untilDueMs + (Math.random() * 600).toLong())
            } catch (lost: Exception) {
                if (lost !is IOException && lost !is JSONException && lost !is FrameException) throw lost
                val fullWaitMs = minOf(60_000L, 2000L shl minOf(failures++, 10))
                fullWaitMs / 2 + (Math.random() * fullWaitMs / 2).toLong()
            }
            pause(waitMs)
        }
    }

    /** Reads the new frames, or their parts in tiles while only those are wanted. */
    private fun newFrames(latest: JSONObject): Sequence<Frame> = sequence {
        val numbers = latest.getJSONArray("numbers").let { all -> List(all.length()) { all.getLong(it) } }
        val wanted = if (reader.count > MANY_TRACKS && nowMs() < allUntilMs) tiles() else null
        if (wanted != null) {
            for (frame in tileReader.next(wanted, numbers)) {
                for (track in frame.changed) byId[track.id] = track
                yield(frame)
            }
            if (tileReader.hasGap) allUntilMs = 0
            return@sequence
        }
        for (path in newPaths(latest.getLong("key"), numbers)) {
            // A frame that is gone, or does not follow, is left out: the next turn begins with a whole one.
            val frame = read(path)?.let(reader::take) ?: continue
            if (frame.isWhole) byId.clear()
            for (track in frame.changed) byId[track.id] = track
            allUntilMs = nowMs() + ALL_MS + (Math.random() * SPREAD_MS).toLong()
            yield(frame)
        }
    }

    /** Returns the addresses of the frames that the reader lacks: from a whole one on, unless it knows one of them. */
    private fun newPaths(key: Long, numbers: List<Long>): List<String> {
        val known = numbers.indexOf(reader.number ?: -1)
        val rest = numbers.drop(maxOf(known, 0) + 1).map { it.toString() }
        return if (known >= 0) rest else listOf("$key?whole=true") + rest
    }

    private fun nowMs() = System.nanoTime() / 1_000_000

    /** Reads an address; null for what is not there. */
    private fun read(path: String): ByteArray? {
        val connection = URL("$framesUrl/$path").openConnection() as HttpURLConnection
        connection.connectTimeout = 15_000
        connection.readTimeout = 20_000
        val status = connection.responseCode
        if (status == 410) throw ShareEndedException(status)
        if (status == 404) return null
        if (status != 200) throw IOException("The server answered $status.")
        return connection.inputStream.use { it.readBytes() }
    }
}
