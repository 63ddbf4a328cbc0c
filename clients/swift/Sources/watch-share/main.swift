// Prints the positions of a share until it ends: swift run watch-share <address of the server> <token of the share>. West,
// south, east and north in degrees may follow: of a very large event, it then reads that area.
import Foundation
import TrackpressClient

// Each line at once, also where a program reads them.
setlinebuf(stdout)

let bounds = CommandLine.arguments.dropFirst(3).compactMap { Double($0) }
let area = bounds.count == 4 ? Area(west: bounds[0], south: bounds[1], east: bounds[2], north: bounds[3]) : nil
let watcher = ShareWatcher(
    baseURL: URL(string: CommandLine.arguments[1])!, shareToken: CommandLine.arguments[2],
    tiles: { [area] in area.flatMap { Tile.covering($0) } })
do {
    try await watcher.watch { frame in
        let tiles = frame.tiles.map { ", tiles: \($0.count)" } ?? ""
        print("frame \(frame.number), tracks that changed: \(frame.changed.count)\(tiles)")
        for track in frame.changed { print(track.id, track.state, track.latitude ?? 0, track.longitude ?? 0) }
    }
} catch let ended as ShareEndedError {
    print("ended \(ended.status)")
}
