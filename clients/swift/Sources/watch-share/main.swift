// Prints the positions of a share until it ends: swift run watch-share <address of the server> <token of the share>
import Foundation
import TrackpressClient

let watcher = ShareWatcher(baseURL: URL(string: CommandLine.arguments[1])!, shareToken: CommandLine.arguments[2])
do {
    try await watcher.watch { frame in
        print("frame \(frame.number), tracks that changed: \(frame.changed.count)")
        for track in frame.changed { print(track.id, track.state, track.latitude ?? 0, track.longitude ?? 0) }
    }
} catch let ended as ShareEndedError {
    print("ended \(ended.status)")
}
