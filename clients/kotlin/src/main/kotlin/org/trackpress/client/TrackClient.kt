package org.trackpress.client

import java.io.IOException
import java.net.HttpURLConnection
import java.net.URL
import org.json.JSONException
import org.json.JSONObject

/** The server has refused a request for good. Keep what was sent, and show or repair it. */
class RefusedException(val status: Int, val problem: Problem) : Exception("$status ${problem.code}: ${problem.detail}")

/**
 * Records a track, and repeats requests until the server has answered: the part of the queue that
 * concerns answers. An app writes points to its storage first, and removes them when [addPoints] has
 * returned. Call it on a background thread.
 */
class TrackClient(private val baseUrl: String, private val token: String, private val pause: (Long) -> Unit = Thread::sleep) {
    private class Answer(val status: Int, val isOfService: Boolean, val retryAfterSec: Long?, val json: JSONObject?)

    /** Creates a track, or finds the one that an earlier request has created. Returns its id. */
    fun create(track: TrackCreate): String {
        try {
            return TrackCreated.fromJson(send("POST", "/tracks", track.toJson())!!).id
        } catch (refused: RefusedException) {
            return refused.problem.trackId ?: throw refused
        }
    }

    /**
     * Adds at most 10,000 points. When it returns, they are on the server's disk. Points sent again are stored once.
     */
    fun addPoints(id: String, points: List<PointCreate>) {
        send("POST", "/tracks/$id/points", PointBatch(points).toJson())
    }

    fun update(id: String, changes: TrackUpdate): Track = Track.fromJson(send("PATCH", "/tracks/$id", changes.toJson())!!)

    fun finish(id: String): Track = Track.fromJson(send("POST", "/tracks/$id/finish", null)!!)

    private fun send(method: String, path: String, body: JSONObject?): JSONObject? {
        var failures = 0
        while (true) {
            val answer = try { exchange(method, path, body) } catch (lost: IOException) { null }
            val status = answer?.status ?: 0
            val askedSec = if (status in listOf(409, 429, 503)) answer?.retryAfterSec else null
            // Captive portals and proxies answer too, some with 204. Only answers of the service have its header.
            if (answer != null && answer.isOfService && askedSec == null) {
                val json = answer.json
                if (status == 204 || (status in 200..299 && json != null)) return json
                if (status in 400..499 && status != 408 && status != 429 && json != null && json.has("code")) {
                    throw RefusedException(status, Problem.fromJson(json))
                }
            }
            val fullWaitMs = minOf(300_000L, 1000L shl minOf(failures++, 20))
            val waitMs = fullWaitMs / 2 + (Math.random() * fullWaitMs / 2).toLong()
            // Never less than after any failure: some proxies ask for a wait of no time. At most an hour.
            pause(maxOf(waitMs, minOf(askedSec ?: 0L, 3600L) * 1000))
        }
    }

    private fun exchange(method: String, path: String, body: JSONObject?): Answer {
        val connection = URL(baseUrl + path).openConnection() as HttpURLConnection
        connection.connectTimeout = 15_000
        connection.readTimeout = 60_000
        connection.setRequestProperty("X-API-Key", token)
        // PATCH works on Android; the desktop's Java needs java.net.http for it.
        connection.requestMethod = method
        if (body != null) {
            connection.doOutput = true
            connection.setRequestProperty("Content-Type", "application/json")
            connection.outputStream.use { it.write(body.toString().toByteArray()) }
        }
        val status = connection.responseCode
        val stream = if (status < 400) connection.inputStream else connection.errorStream
        val text = stream?.use { it.readBytes().decodeToString() } ?: ""
        val json = try { JSONObject(text) } catch (notJson: JSONException) { null }
        val isOfService = connection.getHeaderField("Trackpress-Api") != null
        return Answer(status, isOfService, connection.getHeaderField("Retry-After")?.toLongOrNull(), json)
    }
}
