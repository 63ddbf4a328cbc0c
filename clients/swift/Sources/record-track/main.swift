// Records a short walk: swift run record-track <address of the server> <app token>
import Foundation
import TrackpressClient

let client = TrackClient(baseURL: URL(string: CommandLine.arguments[1])!, token: CommandLine.arguments[2])
let start = Date()
let id = try await client.create(TrackCreate(deviceTrackId: UUID().uuidString, activityType: .walk))
let points = (0..<60).map { second in
    PointCreate(
        latitude: 45.9237 + Double(second) * 0.00001,
        longitude: 6.8694,
        timestamp: ISO8601DateFormatter().string(from: start.addingTimeInterval(Double(second))),
        accuracy: 5,
        origin: .foreground
    )
}
try await client.addPoints(points, to: id)
// As after a lost answer: nothing is stored twice.
try await client.addPoints(points, to: id)
let track = try await client.finish(id)
print("\(track.title): \(track.pointsCount) points, \(Int(track.stats.distanceMeters)) m, \(track.state)")
