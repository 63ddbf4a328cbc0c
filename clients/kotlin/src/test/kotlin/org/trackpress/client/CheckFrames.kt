package org.trackpress.client

import java.io.File
import org.json.JSONArray
import org.json.JSONObject

/** Reads the frames, and counts the tiles, that every client reads and counts: `CheckFrames clients/frames`. */
fun main(arguments: Array<String>) {
    val (folder) = arguments
    val cases = JSONArray(File(folder, "vectors.json").readText())
    var checked = 0
    for (case in 0 until cases.length()) {
        val reader = FrameReader(cases.getJSONObject(case).optJSONObject("tile")?.toTile())
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
    checkTiles(JSONObject(File(folder, "tiles.json").readText()))
    println("$checked frames are as expected")
}

private fun checkTiles(cases: JSONObject) {
    for (place in cases.getJSONArray("places").objects()) {
        val (latitude, longitude) = listOf(place.getDouble("latitude"), place.getDouble("longitude"))
        check(Tile.ZOOMS.map { Tile.at(latitude, longitude, it).path }.toString() == place.wordsOf("tiles")) { place }
    }
    for (one in cases.getJSONArray("areas").objects()) {
        val area = one.getJSONObject("area").run { Area(getDouble("west"), getDouble("south"), getDouble("east"), getDouble("north")) }
        val tiles = Tile.covering(area, one.getJSONArray("places").objects().map { it.toPlace() })
        check(tiles?.map { it.path }?.sorted().toString() == one.wordsOf("tiles")) { "$one\n$tiles" }
    }
}

private fun JSONArray.objects() = List(length()) { getJSONObject(it) }

private fun JSONObject.wordsOf(name: String): String =
    if (isNull(name)) "null" else getJSONArray(name).let { all -> List(all.length()) { all.getString(it) } }.toString()

private fun JSONObject.toTile() = Tile(getInt("zoom"), getInt("x"), getInt("y"))

private fun JSONObject.toPlace() = FrameTrack(
    id = "",
    state = State.running,
    timeMs = null,
    latitude = numberOf("latitude")?.toDouble(),
    longitude = numberOf("longitude")?.toDouble(),
    heading = null,
    speedMps = null,
    rank = null,
    details = 0,
    battery = null,
)

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
