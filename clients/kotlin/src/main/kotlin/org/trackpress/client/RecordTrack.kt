package org.trackpress.client

import java.time.Instant
import java.util.UUID

/** Records a short walk: `RecordTrack <address of the server> <app token>`. */
fun main(arguments: Array<String>) {
    val (baseUrl, token) = arguments
    val client = TrackClient(baseUrl, token)
    val start = Instant.now()
    val id = client.create(TrackCreate(deviceTrackId = UUID.randomUUID().toString(), activityType = ActivityType.walk))
    val points = List(60) { second ->
        PointCreate(
            latitude = 45.9237 + second * 0.00001,
            longitude = 6.8694,
            timestamp = start.plusSeconds(second.toLong()).toString(),
            accuracy = 5.0,
            origin = Origin.foreground,
        )
    }
    client.addPoints(id, points)
    // As after a lost answer: nothing is stored twice.
    client.addPoints(id, points)
    val track = client.finish(id)
    println("${track.title}: ${track.pointsCount} points, ${track.stats.distanceMeters.toInt()} m, ${track.state}")
}
