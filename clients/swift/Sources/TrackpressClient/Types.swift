// Types of the API for apps, written by npm run docs from its description. Do not edit.

public enum ActivityType: String, Codable, Sendable {
    case run
    case walk
    case bike
    case hike
}

public enum AltitudeReference: String, Codable, Sendable {
    case sea_level
    case ellipsoid
}

public enum Origin: String, Codable, Sendable {
    case foreground
    case background
    case native
}

public enum State: String, Codable, Sendable {
    case running
    case paused
    case stopped
}

/// A field or parameter that is not valid.
public struct ErrorField: Codable, Equatable, Sendable {
    /// Path in the body, or the name of the query parameter.
    public var path: String
    /// The rule that is broken.
    public var message: String

    public init(
        path: String,
        message: String
    ) {
        self.path = path
        self.message = message
    }

    private enum CodingKeys: String, CodingKey {
        case path
        case message
    }
}

/// A point as it was sent, every number to its last bit. Fields that were not sent are absent.
public struct Point: Codable, Equatable, Sendable {
    /// Degrees, WGS 84.
    public var latitude: Double
    /// Degrees, WGS 84.
    public var longitude: Double
    /// In UTC, with milliseconds.
    public var timestamp: String
    /// Meters.
    public var altitude: Double?
    /// Meters; negative means unknown.
    public var accuracy: Double?
    /// Meters per second; negative means unknown.
    public var speedMps: Double?
    /// Degrees.
    public var heading: Double?
    /// Level, 0 to 1.
    public var battery: Double?

    public init(
        latitude: Double,
        longitude: Double,
        timestamp: String,
        altitude: Double? = nil,
        accuracy: Double? = nil,
        speedMps: Double? = nil,
        heading: Double? = nil,
        battery: Double? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.timestamp = timestamp
        self.altitude = altitude
        self.accuracy = accuracy
        self.speedMps = speedMps
        self.heading = heading
        self.battery = battery
    }

    private enum CodingKeys: String, CodingKey {
        case latitude
        case longitude
        case timestamp
        case altitude
        case accuracy
        case speedMps = "speed_mps"
        case heading
        case battery
    }
}

public struct PointBatch: Codable, Equatable, Sendable {
    /// In any order.
    public var points: [PointCreate]

    public init(
        points: [PointCreate]
    ) {
        self.points = points
    }

    private enum CodingKeys: String, CodingKey {
        case points
    }
}

/// A position at a time.
public struct PointCreate: Codable, Equatable, Sendable {
    /// Degrees, WGS 84.
    public var latitude: Double
    /// Degrees, WGS 84.
    public var longitude: Double
    /// RFC 3339; without an offset it is UTC. Finer than milliseconds is cut off.
    public var timestamp: String
    /// Meters.
    public var altitude: Double?
    /// Meters; negative means unknown.
    public var accuracy: Double?
    /// Meters per second; negative means unknown.
    public var speedMps: Double?
    /// Degrees.
    public var heading: Double?
    /// Level, 0 to 1.
    public var battery: Double?
    /// Part of the app that recorded the point.
    public var origin: Origin?
    /// Zero of the altitude: sea level as on iOS, or the ellipsoid of WGS 84 as on Android.
    public var altitudeReference: AltitudeReference?

    public init(
        latitude: Double,
        longitude: Double,
        timestamp: String,
        altitude: Double? = nil,
        accuracy: Double? = nil,
        speedMps: Double? = nil,
        heading: Double? = nil,
        battery: Double? = nil,
        origin: Origin? = nil,
        altitudeReference: AltitudeReference? = nil
    ) {
        self.latitude = latitude
        self.longitude = longitude
        self.timestamp = timestamp
        self.altitude = altitude
        self.accuracy = accuracy
        self.speedMps = speedMps
        self.heading = heading
        self.battery = battery
        self.origin = origin
        self.altitudeReference = altitudeReference
    }

    private enum CodingKeys: String, CodingKey {
        case latitude
        case longitude
        case timestamp
        case altitude
        case accuracy
        case speedMps = "speed_mps"
        case heading
        case battery
        case origin
        case altitudeReference = "altitude_reference"
    }
}

/// Points in time order.
public struct PointList: Codable, Equatable, Sendable {
    public var trackId: String
    /// Number of points in this answer.
    public var count: Int
    public var points: [Point]

    public init(
        trackId: String,
        count: Int,
        points: [Point]
    ) {
        self.trackId = trackId
        self.count = count
        self.points = points
    }

    private enum CodingKeys: String, CodingKey {
        case trackId = "track_id"
        case count
        case points
    }
}

/// A receipt for the points of a request.
public struct PointsReceipt: Codable, Equatable, Sendable {
    /// Points in the request: the sum of the other three counts.
    public var received: Int
    /// Points that are on disk because of this request.
    public var stored: Int
    /// Points that had been stored before.
    public var known: Int
    /// Points left out because they break a rule.
    public var rejectedCount: Int
    /// The first 100 points left out, in the order sent.
    public var rejected: [RejectedPoint]

    public init(
        received: Int,
        stored: Int,
        known: Int,
        rejectedCount: Int,
        rejected: [RejectedPoint]
    ) {
        self.received = received
        self.stored = stored
        self.known = known
        self.rejectedCount = rejectedCount
        self.rejected = rejected
    }

    private enum CodingKeys: String, CodingKey {
        case received
        case stored
        case known
        case rejectedCount = "rejected_count"
        case rejected
    }
}

/// An error, as RFC 9457 problem details.
public struct Problem: Codable, Equatable, Sendable {
    /// Always `about:blank`.
    public var type: String
    /// The reason phrase of the status.
    public var title: String
    /// The HTTP status.
    public var status: Int
    /// The kind of error, for programs.
    public var code: String
    /// What went wrong, for people.
    public var detail: String
    /// Finds the request in the server log.
    public var requestId: String
    /// The fields that are not valid, at most 20.
    public var errors: [ErrorField]?
    /// With 409 for a `device_track_id` in use: the track that uses it. With TRACK_DAMAGED: the track.
    public var trackId: String?
    /// With TRACK_DAMAGED: the parts of the track that cannot be read, up to 20. Not for spectators.
    public var damaged: [String]?
    /// With 409 for an upload that is already published: its publication.
    public var slug: String?
    /// With `INSUFFICIENT_ROLE`: the role that the request needs.
    public var neededRole: String?
    /// With 422 for a map file: the kind of its fault.
    public var fault: String?

    public init(
        type: String,
        title: String,
        status: Int,
        code: String,
        detail: String,
        requestId: String,
        errors: [ErrorField]? = nil,
        trackId: String? = nil,
        damaged: [String]? = nil,
        slug: String? = nil,
        neededRole: String? = nil,
        fault: String? = nil
    ) {
        self.type = type
        self.title = title
        self.status = status
        self.code = code
        self.detail = detail
        self.requestId = requestId
        self.errors = errors
        self.trackId = trackId
        self.damaged = damaged
        self.slug = slug
        self.neededRole = neededRole
        self.fault = fault
    }

    private enum CodingKeys: String, CodingKey {
        case type
        case title
        case status
        case code
        case detail
        case requestId = "request_id"
        case errors
        case trackId = "track_id"
        case damaged
        case slug
        case neededRole = "needed_role"
        case fault
    }
}

/// A point that was left out, and why.
public struct RejectedPoint: Codable, Equatable, Sendable {
    /// Position of the point in the request, from 0.
    public var index: Int
    public var errors: [RejectedPointError]

    public init(
        index: Int,
        errors: [RejectedPointError]
    ) {
        self.index = index
        self.errors = errors
    }

    private enum CodingKeys: String, CodingKey {
        case index
        case errors
    }
}

public struct RejectedPointError: Codable, Equatable, Sendable {
    /// Field; empty for a point that is no object.
    public var path: String
    /// Requirement on the value.
    public var message: String

    public init(
        path: String,
        message: String
    ) {
        self.path = path
        self.message = message
    }

    private enum CodingKeys: String, CodingKey {
        case path
        case message
    }
}

/// Statistics of the points. `method` tells how they were computed; `left_out` counts what they leave out, by reason.
public struct Stats: Codable, Equatable, Sendable {
    /// Surface distance, climbs not included.
    public var distanceMeters: Double
    /// Elapsed time, pauses included.
    public var durationSec: Int
    /// Sum of the climbs.
    public var elevationGainM: Double
    /// Sum of the descents, a positive number.
    public var elevationLossM: Double
    /// Lowest and highest value of the elevation gain with a probability of 95 %; absent unless it was estimated.
    public var elevationGainIntervalM: [Double]?
    /// Lowest and highest value of the elevation loss with a probability of 95 %; absent unless it was estimated.
    public var elevationLossIntervalM: [Double]?
    /// Distance divided by duration; 0 without duration.
    public var meanSpeedMps: Double
    /// Duration divided by distance; 0 without distance.
    public var paceSecPerKm: Double
    /// Absent if unknown.
    public var maxSpeedMps: Double?
    /// Above sea level if it is known what the altitudes are above, otherwise as sent. Absent if unknown.
    public var maxAltitudeM: Double?
    /// As the maximum. Absent if unknown.
    public var minAltitudeM: Double?
    /// All stored points, also those that the other statistics leave out.
    public var pointsCount: Int
    /// Time in motion.
    public var movingTimeSec: Double?
    /// Time in the state `paused`.
    public var pausedTimeSec: Double?

    public init(
        distanceMeters: Double,
        durationSec: Int,
        elevationGainM: Double,
        elevationLossM: Double,
        elevationGainIntervalM: [Double]? = nil,
        elevationLossIntervalM: [Double]? = nil,
        meanSpeedMps: Double,
        paceSecPerKm: Double,
        maxSpeedMps: Double? = nil,
        maxAltitudeM: Double? = nil,
        minAltitudeM: Double? = nil,
        pointsCount: Int,
        movingTimeSec: Double? = nil,
        pausedTimeSec: Double? = nil
    ) {
        self.distanceMeters = distanceMeters
        self.durationSec = durationSec
        self.elevationGainM = elevationGainM
        self.elevationLossM = elevationLossM
        self.elevationGainIntervalM = elevationGainIntervalM
        self.elevationLossIntervalM = elevationLossIntervalM
        self.meanSpeedMps = meanSpeedMps
        self.paceSecPerKm = paceSecPerKm
        self.maxSpeedMps = maxSpeedMps
        self.maxAltitudeM = maxAltitudeM
        self.minAltitudeM = minAltitudeM
        self.pointsCount = pointsCount
        self.movingTimeSec = movingTimeSec
        self.pausedTimeSec = pausedTimeSec
    }

    private enum CodingKeys: String, CodingKey {
        case distanceMeters = "distance_meters"
        case durationSec = "duration_sec"
        case elevationGainM = "elevation_gain_m"
        case elevationLossM = "elevation_loss_m"
        case elevationGainIntervalM = "elevation_gain_interval_m"
        case elevationLossIntervalM = "elevation_loss_interval_m"
        case meanSpeedMps = "mean_speed_mps"
        case paceSecPerKm = "pace_sec_per_km"
        case maxSpeedMps = "max_speed_mps"
        case maxAltitudeM = "max_altitude_m"
        case minAltitudeM = "min_altitude_m"
        case pointsCount = "points_count"
        case movingTimeSec = "moving_time_sec"
        case pausedTimeSec = "paused_time_sec"
    }
}

/// Statistics that the device computed. They are stored as sent; the server computes absent ones.
public struct StatsCreate: Codable, Equatable, Sendable {
    /// Total distance in meters.
    public var distanceMeters: Double?
    /// Total duration in seconds.
    public var durationSec: Int?
    /// Elevation gain in meters.
    public var elevationGainM: Double?
    /// Elevation loss in meters.
    public var elevationLossM: Double?
    /// Average speed in meters per second.
    public var meanSpeedMps: Double?
    /// Pace in seconds per kilometer.
    public var paceSecPerKm: Double?
    /// Maximum speed in meters per second.
    public var maxSpeedMps: Double?
    /// Maximum altitude in meters.
    public var maxAltitudeM: Double?
    /// Minimum altitude in meters.
    public var minAltitudeM: Double?
    /// Number of points.
    public var pointsCount: Int?

    public init(
        distanceMeters: Double? = nil,
        durationSec: Int? = nil,
        elevationGainM: Double? = nil,
        elevationLossM: Double? = nil,
        meanSpeedMps: Double? = nil,
        paceSecPerKm: Double? = nil,
        maxSpeedMps: Double? = nil,
        maxAltitudeM: Double? = nil,
        minAltitudeM: Double? = nil,
        pointsCount: Int? = nil
    ) {
        self.distanceMeters = distanceMeters
        self.durationSec = durationSec
        self.elevationGainM = elevationGainM
        self.elevationLossM = elevationLossM
        self.meanSpeedMps = meanSpeedMps
        self.paceSecPerKm = paceSecPerKm
        self.maxSpeedMps = maxSpeedMps
        self.maxAltitudeM = maxAltitudeM
        self.minAltitudeM = minAltitudeM
        self.pointsCount = pointsCount
    }

    private enum CodingKeys: String, CodingKey {
        case distanceMeters = "distance_meters"
        case durationSec = "duration_sec"
        case elevationGainM = "elevation_gain_m"
        case elevationLossM = "elevation_loss_m"
        case meanSpeedMps = "mean_speed_mps"
        case paceSecPerKm = "pace_sec_per_km"
        case maxSpeedMps = "max_speed_mps"
        case maxAltitudeM = "max_altitude_m"
        case minAltitudeM = "min_altitude_m"
        case pointsCount = "points_count"
    }
}

public struct SyncCreate: Codable, Equatable, Sendable {
    public var track: SyncTrack
    /// In any order; may be empty.
    public var points: [PointCreate]
    public var stats: StatsCreate?

    public init(
        track: SyncTrack,
        points: [PointCreate],
        stats: StatsCreate? = nil
    ) {
        self.track = track
        self.points = points
        self.stats = stats
    }

    private enum CodingKeys: String, CodingKey {
        case track
        case points
        case stats
    }
}

/// The track was created and its points are on disk.
public struct SyncCreated: Codable, Equatable, Sendable {
    /// Identifies the track in all later requests.
    public var trackId: String
    public var points: PointsReceipt?

    public init(
        trackId: String,
        points: PointsReceipt? = nil
    ) {
        self.trackId = trackId
        self.points = points
    }

    private enum CodingKeys: String, CodingKey {
        case trackId = "track_id"
        case points
    }
}

/// A finished track.
public struct SyncTrack: Codable, Equatable, Sendable {
    /// The device's own identifier, unique within the event.
    public var deviceTrackId: String
    /// Generated from the start time if absent or blank: `Sortie du 3 mai à 08h15`.
    public var title: String?
    /// Default `run`. Statistics depend on it.
    public var activityType: ActivityType?
    /// RFC 3339; UTC without an offset. Default: the first point of a sync, otherwise now.
    public var startTs: String?
    /// Owner of the track; any text.
    public var userId: String?
    /// An http or https address.
    public var imageUrl: String?
    /// Zero of the altitudes of points that do not say it themselves: sea level as on iOS, or the ellipsoid of WGS 84 as on Android.
    public var altitudeReference: AltitudeReference?
    /// Not before the start.
    public var endTs: String?

    public init(
        deviceTrackId: String,
        title: String? = nil,
        activityType: ActivityType? = nil,
        startTs: String? = nil,
        userId: String? = nil,
        imageUrl: String? = nil,
        altitudeReference: AltitudeReference? = nil,
        endTs: String? = nil
    ) {
        self.deviceTrackId = deviceTrackId
        self.title = title
        self.activityType = activityType
        self.startTs = startTs
        self.userId = userId
        self.imageUrl = imageUrl
        self.altitudeReference = altitudeReference
        self.endTs = endTs
    }

    private enum CodingKeys: String, CodingKey {
        case deviceTrackId = "device_track_id"
        case title
        case activityType = "activity_type"
        case startTs = "start_ts"
        case userId = "user_id"
        case imageUrl = "image_url"
        case altitudeReference = "altitude_reference"
        case endTs = "end_ts"
    }
}

/// The current state of a track. If `stats` has statistics that came with a sync, `computed_stats` has those of the server.
public struct Track: Codable, Equatable, Sendable {
    public var id: String
    /// As sent.
    public var deviceTrackId: String
    /// As sent, or generated.
    public var title: String
    public var activityType: ActivityType
    public var state: State
    /// In UTC.
    public var startTs: String
    /// Null without an end.
    public var endTs: String?
    /// Null if not set.
    public var userId: String?
    /// Null if not set.
    public var imageUrl: String?
    /// Zero of the altitudes of points that do not say it themselves; absent if unknown.
    public var altitudeReference: AltitudeReference?
    /// Stored points.
    public var pointsCount: Int
    public var stats: Stats
    public var computedStats: Stats?
    /// Time of creation on the server.
    public var createdAt: String
    /// Time of the latest change or new point.
    public var updatedAt: String

    public init(
        id: String,
        deviceTrackId: String,
        title: String,
        activityType: ActivityType,
        state: State,
        startTs: String,
        endTs: String? = nil,
        userId: String? = nil,
        imageUrl: String? = nil,
        altitudeReference: AltitudeReference? = nil,
        pointsCount: Int,
        stats: Stats,
        computedStats: Stats? = nil,
        createdAt: String,
        updatedAt: String
    ) {
        self.id = id
        self.deviceTrackId = deviceTrackId
        self.title = title
        self.activityType = activityType
        self.state = state
        self.startTs = startTs
        self.endTs = endTs
        self.userId = userId
        self.imageUrl = imageUrl
        self.altitudeReference = altitudeReference
        self.pointsCount = pointsCount
        self.stats = stats
        self.computedStats = computedStats
        self.createdAt = createdAt
        self.updatedAt = updatedAt
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case deviceTrackId = "device_track_id"
        case title
        case activityType = "activity_type"
        case state
        case startTs = "start_ts"
        case endTs = "end_ts"
        case userId = "user_id"
        case imageUrl = "image_url"
        case altitudeReference = "altitude_reference"
        case pointsCount = "points_count"
        case stats
        case computedStats = "computed_stats"
        case createdAt = "created_at"
        case updatedAt = "updated_at"
    }
}

public struct TrackCreate: Codable, Equatable, Sendable {
    /// The device's own identifier, unique within the event.
    public var deviceTrackId: String
    /// Generated from the start time if absent or blank: `Sortie du 3 mai à 08h15`.
    public var title: String?
    /// Default `run`. Statistics depend on it.
    public var activityType: ActivityType?
    /// RFC 3339; UTC without an offset. Default: the first point of a sync, otherwise now.
    public var startTs: String?
    /// Owner of the track; any text.
    public var userId: String?
    /// An http or https address.
    public var imageUrl: String?
    /// Zero of the altitudes of points that do not say it themselves: sea level as on iOS, or the ellipsoid of WGS 84 as on Android.
    public var altitudeReference: AltitudeReference?

    public init(
        deviceTrackId: String,
        title: String? = nil,
        activityType: ActivityType? = nil,
        startTs: String? = nil,
        userId: String? = nil,
        imageUrl: String? = nil,
        altitudeReference: AltitudeReference? = nil
    ) {
        self.deviceTrackId = deviceTrackId
        self.title = title
        self.activityType = activityType
        self.startTs = startTs
        self.userId = userId
        self.imageUrl = imageUrl
        self.altitudeReference = altitudeReference
    }

    private enum CodingKeys: String, CodingKey {
        case deviceTrackId = "device_track_id"
        case title
        case activityType = "activity_type"
        case startTs = "start_ts"
        case userId = "user_id"
        case imageUrl = "image_url"
        case altitudeReference = "altitude_reference"
    }
}

/// The track was created.
public struct TrackCreated: Codable, Equatable, Sendable {
    /// Identifies the track in all later requests.
    public var id: String
    /// As sent.
    public var deviceTrackId: String

    public init(
        id: String,
        deviceTrackId: String
    ) {
        self.id = id
        self.deviceTrackId = deviceTrackId
    }

    private enum CodingKeys: String, CodingKey {
        case id
        case deviceTrackId = "device_track_id"
    }
}

/// One page of tracks.
public struct TrackList: Codable, Equatable, Sendable {
    public var tracks: [Track]
    /// The `cursor` of the next page; null on the last.
    public var nextCursor: String?

    public init(
        tracks: [Track],
        nextCursor: String? = nil
    ) {
        self.tracks = tracks
        self.nextCursor = nextCursor
    }

    private enum CodingKeys: String, CodingKey {
        case tracks
        case nextCursor = "next_cursor"
    }
}

public struct TrackUpdate: Codable, Equatable, Sendable {
    /// Generated from the start time if absent or blank: `Sortie du 3 mai à 08h15`.
    public var title: String?
    /// Any state may follow any other.
    public var state: State?
    /// Not before the start.
    public var endTs: String?

    public init(
        title: String? = nil,
        state: State? = nil,
        endTs: String? = nil
    ) {
        self.title = title
        self.state = state
        self.endTs = endTs
    }

    private enum CodingKeys: String, CodingKey {
        case title
        case state
        case endTs = "end_ts"
    }
}
