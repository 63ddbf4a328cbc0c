// Types of the API for apps, written by npm run docs from its description. Do not edit.

package org.trackpress.client

import org.json.JSONArray
import org.json.JSONObject

private fun <T> JSONObject.ifGiven(name: String, read: JSONObject.(String) -> T): T? = if (isNull(name)) null else read(name)

private fun <T> JSONArray.items(read: JSONArray.(Int) -> T): List<T> = List(length()) { read(it) }

enum class ActivityType { run, walk, bike, hike }

enum class AltitudeReference { sea_level, ellipsoid }

enum class Origin { foreground, background, native }

enum class State { running, paused, stopped }

/** A field or parameter that is not valid. */
data class ErrorField(
    /** Path in the body, or the name of the query parameter. */
    val path: String,
    /** The rule that is broken. */
    val message: String,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("path", path)
        put("message", message)
    }

    companion object {
        fun fromJson(json: JSONObject) = ErrorField(
            path = json.run { getString("path") },
            message = json.run { getString("message") },
        )
    }
}

/** A point as it was sent, every number to its last bit. Fields that were not sent are absent. */
data class Point(
    /** Degrees, WGS 84. */
    val latitude: Double,
    /** Degrees, WGS 84. */
    val longitude: Double,
    /** In UTC, with milliseconds. */
    val timestamp: String,
    /** Meters. */
    val altitude: Double? = null,
    /** Meters; negative means unknown. */
    val accuracy: Double? = null,
    /** Meters per second; negative means unknown. */
    val speedMps: Double? = null,
    /** Degrees. */
    val heading: Double? = null,
    /** Level, 0 to 1. */
    val battery: Double? = null,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("latitude", latitude)
        put("longitude", longitude)
        put("timestamp", timestamp)
        altitude?.let { put("altitude", it) }
        accuracy?.let { put("accuracy", it) }
        speedMps?.let { put("speed_mps", it) }
        heading?.let { put("heading", it) }
        battery?.let { put("battery", it) }
    }

    companion object {
        fun fromJson(json: JSONObject) = Point(
            latitude = json.run { getDouble("latitude") },
            longitude = json.run { getDouble("longitude") },
            timestamp = json.run { getString("timestamp") },
            altitude = json.ifGiven("altitude") { getDouble(it) },
            accuracy = json.ifGiven("accuracy") { getDouble(it) },
            speedMps = json.ifGiven("speed_mps") { getDouble(it) },
            heading = json.ifGiven("heading") { getDouble(it) },
            battery = json.ifGiven("battery") { getDouble(it) },
        )
    }
}

data class PointBatch(
    /** In any order. */
    val points: List<PointCreate>,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("points", JSONArray(points.map { item -> item.toJson() }))
    }

    companion object {
        fun fromJson(json: JSONObject) = PointBatch(
            points = json.run { getJSONArray("points").items { PointCreate.fromJson(getJSONObject(it)) } },
        )
    }
}

/** A position at a time. */
data class PointCreate(
    /** Degrees, WGS 84. */
    val latitude: Double,
    /** Degrees, WGS 84. */
    val longitude: Double,
    /** RFC 3339; without an offset it is UTC. Finer than milliseconds is cut off. */
    val timestamp: String,
    /** Meters. */
    val altitude: Double? = null,
    /** Meters; negative means unknown. */
    val accuracy: Double? = null,
    /** Meters per second; negative means unknown. */
    val speedMps: Double? = null,
    /** Degrees. */
    val heading: Double? = null,
    /** Level, 0 to 1. */
    val battery: Double? = null,
    /** Part of the app that recorded the point. */
    val origin: Origin? = null,
    /** Zero of the altitude: sea level as on iOS, or the ellipsoid of WGS 84 as on Android. */
    val altitudeReference: AltitudeReference? = null,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("latitude", latitude)
        put("longitude", longitude)
        put("timestamp", timestamp)
        altitude?.let { put("altitude", it) }
        accuracy?.let { put("accuracy", it) }
        speedMps?.let { put("speed_mps", it) }
        heading?.let { put("heading", it) }
        battery?.let { put("battery", it) }
        origin?.let { put("origin", it.name) }
        altitudeReference?.let { put("altitude_reference", it.name) }
    }

    companion object {
        fun fromJson(json: JSONObject) = PointCreate(
            latitude = json.run { getDouble("latitude") },
            longitude = json.run { getDouble("longitude") },
            timestamp = json.run { getString("timestamp") },
            altitude = json.ifGiven("altitude") { getDouble(it) },
            accuracy = json.ifGiven("accuracy") { getDouble(it) },
            speedMps = json.ifGiven("speed_mps") { getDouble(it) },
            heading = json.ifGiven("heading") { getDouble(it) },
            battery = json.ifGiven("battery") { getDouble(it) },
            origin = json.ifGiven("origin") { Origin.valueOf(getString(it)) },
            altitudeReference = json.ifGiven("altitude_reference") { AltitudeReference.valueOf(getString(it)) },
        )
    }
}

/** Points in time order. */
data class PointList(
    val trackId: String,
    /** Number of points in this answer. */
    val count: Long,
    val points: List<Point>,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("track_id", trackId)
        put("count", count)
        put("points", JSONArray(points.map { item -> item.toJson() }))
    }

    companion object {
        fun fromJson(json: JSONObject) = PointList(
            trackId = json.run { getString("track_id") },
            count = json.run { getLong("count") },
            points = json.run { getJSONArray("points").items { Point.fromJson(getJSONObject(it)) } },
        )
    }
}

/** A receipt for the points of a request. */
data class PointsReceipt(
    /** Points in the request: the sum of the other three counts. */
    val received: Long,
    /** Points that are on disk because of this request. */
    val stored: Long,
    /** Points that had been stored before. */
    val known: Long,
    /** Points left out because they break a rule. */
    val rejectedCount: Long,
    /** The first 100 points left out, in the order sent. */
    val rejected: List<RejectedPoint>,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("received", received)
        put("stored", stored)
        put("known", known)
        put("rejected_count", rejectedCount)
        put("rejected", JSONArray(rejected.map { item -> item.toJson() }))
    }

    companion object {
        fun fromJson(json: JSONObject) = PointsReceipt(
            received = json.run { getLong("received") },
            stored = json.run { getLong("stored") },
            known = json.run { getLong("known") },
            rejectedCount = json.run { getLong("rejected_count") },
            rejected = json.run { getJSONArray("rejected").items { RejectedPoint.fromJson(getJSONObject(it)) } },
        )
    }
}

/** An error, as RFC 9457 problem details. */
data class Problem(
    /** Always `about:blank`. */
    val type: String,
    /** The reason phrase of the status. */
    val title: String,
    /** The HTTP status. */
    val status: Long,
    /** The kind of error, for programs. */
    val code: String,
    /** What went wrong, for people. */
    val detail: String,
    /** Finds the request in the server log. */
    val requestId: String,
    /** The fields that are not valid, at most 20. */
    val errors: List<ErrorField>? = null,
    /** With 409 for a `device_track_id` in use: the track that uses it. With TRACK_DAMAGED: the track. */
    val trackId: String? = null,
    /** With TRACK_DAMAGED: the parts of the track that cannot be read, up to 20. Not for spectators. */
    val damaged: List<String>? = null,
    /** With 409 for an upload that is already published: its publication. */
    val slug: String? = null,
    /** With `INSUFFICIENT_ROLE`: the role that the request needs. */
    val neededRole: String? = null,
    /** With 422 for a map file: the kind of its fault. */
    val fault: String? = null,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("type", type)
        put("title", title)
        put("status", status)
        put("code", code)
        put("detail", detail)
        put("request_id", requestId)
        errors?.let { put("errors", JSONArray(it.map { item -> item.toJson() })) }
        trackId?.let { put("track_id", it) }
        damaged?.let { put("damaged", JSONArray(it)) }
        slug?.let { put("slug", it) }
        neededRole?.let { put("needed_role", it) }
        fault?.let { put("fault", it) }
    }

    companion object {
        fun fromJson(json: JSONObject) = Problem(
            type = json.run { getString("type") },
            title = json.run { getString("title") },
            status = json.run { getLong("status") },
            code = json.run { getString("code") },
            detail = json.run { getString("detail") },
            requestId = json.run { getString("request_id") },
            errors = json.ifGiven("errors") { getJSONArray(it).items { ErrorField.fromJson(getJSONObject(it)) } },
            trackId = json.ifGiven("track_id") { getString(it) },
            damaged = json.ifGiven("damaged") { getJSONArray(it).items { getString(it) } },
            slug = json.ifGiven("slug") { getString(it) },
            neededRole = json.ifGiven("needed_role") { getString(it) },
            fault = json.ifGiven("fault") { getString(it) },
        )
    }
}

/** A point that was left out, and why. */
data class RejectedPoint(
    /** Position of the point in the request, from 0. */
    val index: Long,
    val errors: List<RejectedPointError>,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("index", index)
        put("errors", JSONArray(errors.map { item -> item.toJson() }))
    }

    companion object {
        fun fromJson(json: JSONObject) = RejectedPoint(
            index = json.run { getLong("index") },
            errors = json.run { getJSONArray("errors").items { RejectedPointError.fromJson(getJSONObject(it)) } },
        )
    }
}

data class RejectedPointError(
    /** Field; empty for a point that is no object. */
    val path: String,
    /** Requirement on the value. */
    val message: String,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("path", path)
        put("message", message)
    }

    companion object {
        fun fromJson(json: JSONObject) = RejectedPointError(
            path = json.run { getString("path") },
            message = json.run { getString("message") },
        )
    }
}

/** Statistics of the points. `method` tells how they were computed; `left_out` counts what they leave out, by reason. */
data class Stats(
    /** Surface distance, climbs not included. */
    val distanceMeters: Double,
    /** Elapsed time, pauses included. */
    val durationSec: Long,
    /** Sum of the climbs. */
    val elevationGainM: Double,
    /** Sum of the descents, a positive number. */
    val elevationLossM: Double,
    /** Lowest and highest value of the elevation gain with a probability of 95 %; absent unless it was estimated. */
    val elevationGainIntervalM: List<Double>? = null,
    /** Lowest and highest value of the elevation loss with a probability of 95 %; absent unless it was estimated. */
    val elevationLossIntervalM: List<Double>? = null,
    /** Distance divided by duration; 0 without duration. */
    val meanSpeedMps: Double,
    /** Duration divided by distance; 0 without distance. */
    val paceSecPerKm: Double,
    /** Absent if unknown. */
    val maxSpeedMps: Double? = null,
    /** Above sea level if it is known what the altitudes are above, otherwise as sent. Absent if unknown. */
    val maxAltitudeM: Double? = null,
    /** As the maximum. Absent if unknown. */
    val minAltitudeM: Double? = null,
    /** All stored points, also those that the other statistics leave out. */
    val pointsCount: Long,
    /** Time in motion. */
    val movingTimeSec: Double? = null,
    /** Time in the state `paused`. */
    val pausedTimeSec: Double? = null,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("distance_meters", distanceMeters)
        put("duration_sec", durationSec)
        put("elevation_gain_m", elevationGainM)
        put("elevation_loss_m", elevationLossM)
        elevationGainIntervalM?.let { put("elevation_gain_interval_m", JSONArray(it)) }
        elevationLossIntervalM?.let { put("elevation_loss_interval_m", JSONArray(it)) }
        put("mean_speed_mps", meanSpeedMps)
        put("pace_sec_per_km", paceSecPerKm)
        maxSpeedMps?.let { put("max_speed_mps", it) }
        maxAltitudeM?.let { put("max_altitude_m", it) }
        minAltitudeM?.let { put("min_altitude_m", it) }
        put("points_count", pointsCount)
        movingTimeSec?.let { put("moving_time_sec", it) }
        pausedTimeSec?.let { put("paused_time_sec", it) }
    }

    companion object {
        fun fromJson(json: JSONObject) = Stats(
            distanceMeters = json.run { getDouble("distance_meters") },
            durationSec = json.run { getLong("duration_sec") },
            elevationGainM = json.run { getDouble("elevation_gain_m") },
            elevationLossM = json.run { getDouble("elevation_loss_m") },
            elevationGainIntervalM = json.ifGiven("elevation_gain_interval_m") { getJSONArray(it).items { getDouble(it) } },
            elevationLossIntervalM = json.ifGiven("elevation_loss_interval_m") { getJSONArray(it).items { getDouble(it) } },
            meanSpeedMps = json.run { getDouble("mean_speed_mps") },
            paceSecPerKm = json.run { getDouble("pace_sec_per_km") },
            maxSpeedMps = json.ifGiven("max_speed_mps") { getDouble(it) },
            maxAltitudeM = json.ifGiven("max_altitude_m") { getDouble(it) },
            minAltitudeM = json.ifGiven("min_altitude_m") { getDouble(it) },
            pointsCount = json.run { getLong("points_count") },
            movingTimeSec = json.ifGiven("moving_time_sec") { getDouble(it) },
            pausedTimeSec = json.ifGiven("paused_time_sec") { getDouble(it) },
        )
    }
}

/** Statistics that the device computed. They are stored as sent; the server computes absent ones. */
data class StatsCreate(
    /** Total distance in meters. */
    val distanceMeters: Double? = null,
    /** Total duration in seconds. */
    val durationSec: Long? = null,
    /** Elevation gain in meters. */
    val elevationGainM: Double? = null,
    /** Elevation loss in meters. */
    val elevationLossM: Double? = null,
    /** Average speed in meters per second. */
    val meanSpeedMps: Double? = null,
    /** Pace in seconds per kilometer. */
    val paceSecPerKm: Double? = null,
    /** Maximum speed in meters per second. */
    val maxSpeedMps: Double? = null,
    /** Maximum altitude in meters. */
    val maxAltitudeM: Double? = null,
    /** Minimum altitude in meters. */
    val minAltitudeM: Double? = null,
    /** Number of points. */
    val pointsCount: Long? = null,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        distanceMeters?.let { put("distance_meters", it) }
        durationSec?.let { put("duration_sec", it) }
        elevationGainM?.let { put("elevation_gain_m", it) }
        elevationLossM?.let { put("elevation_loss_m", it) }
        meanSpeedMps?.let { put("mean_speed_mps", it) }
        paceSecPerKm?.let { put("pace_sec_per_km", it) }
        maxSpeedMps?.let { put("max_speed_mps", it) }
        maxAltitudeM?.let { put("max_altitude_m", it) }
        minAltitudeM?.let { put("min_altitude_m", it) }
        pointsCount?.let { put("points_count", it) }
    }

    companion object {
        fun fromJson(json: JSONObject) = StatsCreate(
            distanceMeters = json.ifGiven("distance_meters") { getDouble(it) },
            durationSec = json.ifGiven("duration_sec") { getLong(it) },
            elevationGainM = json.ifGiven("elevation_gain_m") { getDouble(it) },
            elevationLossM = json.ifGiven("elevation_loss_m") { getDouble(it) },
            meanSpeedMps = json.ifGiven("mean_speed_mps") { getDouble(it) },
            paceSecPerKm = json.ifGiven("pace_sec_per_km") { getDouble(it) },
            maxSpeedMps = json.ifGiven("max_speed_mps") { getDouble(it) },
            maxAltitudeM = json.ifGiven("max_altitude_m") { getDouble(it) },
            minAltitudeM = json.ifGiven("min_altitude_m") { getDouble(it) },
            pointsCount = json.ifGiven("points_count") { getLong(it) },
        )
    }
}

data class SyncCreate(
    val track: SyncTrack,
    /** In any order; may be empty. */
    val points: List<PointCreate>,
    val stats: StatsCreate? = null,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("track", track.toJson())
        put("points", JSONArray(points.map { item -> item.toJson() }))
        stats?.let { put("stats", it.toJson()) }
    }

    companion object {
        fun fromJson(json: JSONObject) = SyncCreate(
            track = json.run { SyncTrack.fromJson(getJSONObject("track")) },
            points = json.run { getJSONArray("points").items { PointCreate.fromJson(getJSONObject(it)) } },
            stats = json.ifGiven("stats") { StatsCreate.fromJson(getJSONObject(it)) },
        )
    }
}

/** The track was created and its points are on disk. */
data class SyncCreated(
    /** Identifies the track in all later requests. */
    val trackId: String,
    val points: PointsReceipt? = null,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("track_id", trackId)
        points?.let { put("points", it.toJson()) }
    }

    companion object {
        fun fromJson(json: JSONObject) = SyncCreated(
            trackId = json.run { getString("track_id") },
            points = json.ifGiven("points") { PointsReceipt.fromJson(getJSONObject(it)) },
        )
    }
}

/** A finished track. */
data class SyncTrack(
    /** The device's own identifier, unique within the event. */
    val deviceTrackId: String,
    /** Generated from the start time if absent or blank: `Sortie du 3 mai à 08h15`. */
    val title: String? = null,
    /** Default `run`. Statistics depend on it. */
    val activityType: ActivityType? = null,
    /** RFC 3339; UTC without an offset. Default: the first point of a sync, otherwise now. */
    val startTs: String? = null,
    /** Owner of the track; any text. */
    val userId: String? = null,
    /** An http or https address. */
    val imageUrl: String? = null,
    /** Zero of the altitudes of points that do not say it themselves: sea level as on iOS, or the ellipsoid of WGS 84 as on Android. */
    val altitudeReference: AltitudeReference? = null,
    /** Not before the start. */
    val endTs: String? = null,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("device_track_id", deviceTrackId)
        title?.let { put("title", it) }
        activityType?.let { put("activity_type", it.name) }
        startTs?.let { put("start_ts", it) }
        userId?.let { put("user_id", it) }
        imageUrl?.let { put("image_url", it) }
        altitudeReference?.let { put("altitude_reference", it.name) }
        endTs?.let { put("end_ts", it) }
    }

    companion object {
        fun fromJson(json: JSONObject) = SyncTrack(
            deviceTrackId = json.run { getString("device_track_id") },
            title = json.ifGiven("title") { getString(it) },
            activityType = json.ifGiven("activity_type") { ActivityType.valueOf(getString(it)) },
            startTs = json.ifGiven("start_ts") { getString(it) },
            userId = json.ifGiven("user_id") { getString(it) },
            imageUrl = json.ifGiven("image_url") { getString(it) },
            altitudeReference = json.ifGiven("altitude_reference") { AltitudeReference.valueOf(getString(it)) },
            endTs = json.ifGiven("end_ts") { getString(it) },
        )
    }
}

/** The current state of a track. If `stats` has statistics that came with a sync, `computed_stats` has those of the server. */
data class Track(
    val id: String,
    /** As sent. */
    val deviceTrackId: String,
    /** As sent, or generated. */
    val title: String,
    val activityType: ActivityType,
    val state: State,
    /** In UTC. */
    val startTs: String,
    /** Null without an end. */
    val endTs: String? = null,
    /** Null if not set. */
    val userId: String? = null,
    /** Null if not set. */
    val imageUrl: String? = null,
    /** Zero of the altitudes of points that do not say it themselves; absent if unknown. */
    val altitudeReference: AltitudeReference? = null,
    /** Stored points. */
    val pointsCount: Long,
    val stats: Stats,
    val computedStats: Stats? = null,
    /** Time of creation on the server. */
    val createdAt: String,
    /** Time of the latest change or new point. */
    val updatedAt: String,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("id", id)
        put("device_track_id", deviceTrackId)
        put("title", title)
        put("activity_type", activityType.name)
        put("state", state.name)
        put("start_ts", startTs)
        endTs?.let { put("end_ts", it) }
        userId?.let { put("user_id", it) }
        imageUrl?.let { put("image_url", it) }
        altitudeReference?.let { put("altitude_reference", it.name) }
        put("points_count", pointsCount)
        put("stats", stats.toJson())
        computedStats?.let { put("computed_stats", it.toJson()) }
        put("created_at", createdAt)
        put("updated_at", updatedAt)
    }

    companion object {
        fun fromJson(json: JSONObject) = Track(
            id = json.run { getString("id") },
            deviceTrackId = json.run { getString("device_track_id") },
            title = json.run { getString("title") },
            activityType = json.run { ActivityType.valueOf(getString("activity_type")) },
            state = json.run { State.valueOf(getString("state")) },
            startTs = json.run { getString("start_ts") },
            endTs = json.ifGiven("end_ts") { getString(it) },
            userId = json.ifGiven("user_id") { getString(it) },
            imageUrl = json.ifGiven("image_url") { getString(it) },
            altitudeReference = json.ifGiven("altitude_reference") { AltitudeReference.valueOf(getString(it)) },
            pointsCount = json.run { getLong("points_count") },
            stats = json.run { Stats.fromJson(getJSONObject("stats")) },
            computedStats = json.ifGiven("computed_stats") { Stats.fromJson(getJSONObject(it)) },
            createdAt = json.run { getString("created_at") },
            updatedAt = json.run { getString("updated_at") },
        )
    }
}

data class TrackCreate(
    /** The device's own identifier, unique within the event. */
    val deviceTrackId: String,
    /** Generated from the start time if absent or blank: `Sortie du 3 mai à 08h15`. */
    val title: String? = null,
    /** Default `run`. Statistics depend on it. */
    val activityType: ActivityType? = null,
    /** RFC 3339; UTC without an offset. Default: the first point of a sync, otherwise now. */
    val startTs: String? = null,
    /** Owner of the track; any text. */
    val userId: String? = null,
    /** An http or https address. */
    val imageUrl: String? = null,
    /** Zero of the altitudes of points that do not say it themselves: sea level as on iOS, or the ellipsoid of WGS 84 as on Android. */
    val altitudeReference: AltitudeReference? = null,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("device_track_id", deviceTrackId)
        title?.let { put("title", it) }
        activityType?.let { put("activity_type", it.name) }
        startTs?.let { put("start_ts", it) }
        userId?.let { put("user_id", it) }
        imageUrl?.let { put("image_url", it) }
        altitudeReference?.let { put("altitude_reference", it.name) }
    }

    companion object {
        fun fromJson(json: JSONObject) = TrackCreate(
            deviceTrackId = json.run { getString("device_track_id") },
            title = json.ifGiven("title") { getString(it) },
            activityType = json.ifGiven("activity_type") { ActivityType.valueOf(getString(it)) },
            startTs = json.ifGiven("start_ts") { getString(it) },
            userId = json.ifGiven("user_id") { getString(it) },
            imageUrl = json.ifGiven("image_url") { getString(it) },
            altitudeReference = json.ifGiven("altitude_reference") { AltitudeReference.valueOf(getString(it)) },
        )
    }
}

/** The track was created. */
data class TrackCreated(
    /** Identifies the track in all later requests. */
    val id: String,
    /** As sent. */
    val deviceTrackId: String,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("id", id)
        put("device_track_id", deviceTrackId)
    }

    companion object {
        fun fromJson(json: JSONObject) = TrackCreated(
            id = json.run { getString("id") },
            deviceTrackId = json.run { getString("device_track_id") },
        )
    }
}

/** One page of tracks. */
data class TrackList(
    val tracks: List<Track>,
    /** The `cursor` of the next page; null on the last. */
    val nextCursor: String? = null,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        put("tracks", JSONArray(tracks.map { item -> item.toJson() }))
        nextCursor?.let { put("next_cursor", it) }
    }

    companion object {
        fun fromJson(json: JSONObject) = TrackList(
            tracks = json.run { getJSONArray("tracks").items { Track.fromJson(getJSONObject(it)) } },
            nextCursor = json.ifGiven("next_cursor") { getString(it) },
        )
    }
}

data class TrackUpdate(
    /** Generated from the start time if absent or blank: `Sortie du 3 mai à 08h15`. */
    val title: String? = null,
    /** Any state may follow any other. */
    val state: State? = null,
    /** Not before the start. */
    val endTs: String? = null,
) {
    fun toJson(): JSONObject = JSONObject().apply {
        title?.let { put("title", it) }
        state?.let { put("state", it.name) }
        endTs?.let { put("end_ts", it) }
    }

    companion object {
        fun fromJson(json: JSONObject) = TrackUpdate(
            title = json.ifGiven("title") { getString(it) },
            state = json.ifGiven("state") { State.valueOf(getString(it)) },
            endTs = json.ifGiven("end_ts") { getString(it) },
        )
    }
}
