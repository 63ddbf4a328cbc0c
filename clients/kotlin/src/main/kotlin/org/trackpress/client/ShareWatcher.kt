package org.trackpress.client

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import org.json.JSONException
import org.json.JSONObject

/** The share does not exist (404), or has ended (410). */
class ShareEndedException(val status: Int) : Exception("The share has ended ($status).")

/**
 * Follows the positions of a share over lost connections, and begins anew where frames are missing, as after a sleep.
 * Call it on a background thread.
 */
class ShareWatcher(baseUrl: String, shareToken: String, private val pause: (Long) -> Unit = Thread::sleep) {
    private val framesUrl = "$baseUrl/shares/$shareToken/frames"
    private val reader = FrameReader()

    /** All tracks as of the latest frame. */
    val tracks: List<FrameTrack> get() = reader.tracks

    /** Calls back with each frame until [onFrame] returns false. Throws [ShareEndedException]. */
    fun watch(onFrame: (Frame) -> Boolean) {
        var failures = 0
        while (true) {
            val waitMs = try {
                val latest = JSONObject(read("latest")?.decodeToString() ?: throw ShareEndedException(404))
                for (path in newPaths(latest)) {
                    // A frame that is gone, or does not follow, is left out: the next turn begins with a whole one.
                    val frame = read(path)?.let(reader::take)
                    if (frame != null && !onFrame(frame)) return
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

    /** Returns the addresses of the frames that the reader lacks: from a whole one on, unless it knows one of them. */
    private fun newPaths(latest: JSONObject): List<String> {
        val numbers = latest.getJSONArray("numbers").let { all -> List(all.length()) { all.getLong(it) } }
        val known = numbers.indexOf(reader.number ?: -1)
        val rest = numbers.drop(maxOf(known, 0) + 1).map { it.toString() }
        return if (known >= 0) rest else listOf("${latest.getLong("key")}?whole=true") + rest
    }

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
