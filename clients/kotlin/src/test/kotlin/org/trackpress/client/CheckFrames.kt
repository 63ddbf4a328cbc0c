package org.trackpress.client

import java.io.File
import org.json.JSONArray
import org.json.JSONObject

/** Reads the frames that every client reads: `CheckFrames clients/frames/vectors.json`. */
fun main(arguments: Array<String>) {
    val cases = JSONArray(File(arguments[0]).readText())
    var checked = 0
    for (case in 0 until cases.length()) {
        val reader = FrameReader()
        val frames = cases.getJSONObject(case).getJSONArray("frames")
        for (i in 0 until frames.length()) {
            val expected = frames.getJSONObject(i)
            val hex = expected.getString("hex")
            val result = try {
                reader.take(ByteArray(hex.length / 2) { hex.substring(2 * it, 2 * it + 2).toInt(16).toByte() })?.words() ?: "missing"
            } catch (refused: FrameException) {
                "refused"
            }
            check(result == wordsOf(expected.get("result"))) { "$hex\n$result\n${wordsOf(expected.get("result"))}" }
            check(reader.tracks.size == expected.getInt("tracksAfter")) { hex }
            checked++
        }
    }
    println("$checked frames are as expected")
}

private fun Frame.words() = listOf(number, asOfMs, delaySec, leftOut, isWhole, changed).toString()

private fun wordsOf(result: Any): String = (result as? JSONObject)?.toFrame()?.words() ?: result.toString()

private fun JSONObject.toFrame(): Frame {
    val tracks = getJSONArray("changed").let { all -> List(all.length()) { all.getJSONObject(it).toTrack() } }
    return Frame(getLong("number"), getLong("asOfMs"), getLong("delaySec"), getLong("leftOut"), getBoolean("isWhole"), tracks)
}

private fun JSONObject.toTrack() = FrameTrack(
    id = getString("id"),
    state = State.valueOf(getString("state")),
    timeMs = numberOf("timeMs")?.toLong(),
    latitude = numberOf("latitude")?.toDouble(),
    longitude = numberOf("longitude")?.toDouble(),
    heading = numberOf("heading")?.toDouble(),
    speedMps = numberOf("speedMps")?.toDouble(),
    rank = numberOf("rank")?.toInt(),
    details = getInt("details"),
    battery = numberOf("battery")?.toInt(),
)

private fun JSONObject.numberOf(name: String): Number? = if (isNull(name)) null else get(name) as Number
