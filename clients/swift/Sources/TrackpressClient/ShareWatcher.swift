import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The share does not exist (404), or has ended (410).
public struct ShareEndedError: Error {
    public let status: Int
}

/// Events of more tracks are read by tile where a part of the map is shown.
private let manyTracks = 5000
/// Time after which all tracks are read again: of those outside of the tiles nothing else is heard.
private let allSec = 120.0
/// Viewers do not all ask at the same moment.
private let spreadSec = 30.0

/// Follows the positions of a share over lost connections, and begins anew where frames are missing, as after a sleep.
public actor ShareWatcher {
    private struct Latest: Decodable {
        let key: Int64
        let numbers: [Int64]
        let lag_ms: Double
        let interval_sec: Double
    }

    private let framesURL: String
    private let session: URLSession
    private let wantedTiles: @Sendable () async -> [Tile]?
    private var reader = FrameReader()
    private var tileReader = TileReader()
    private var byId: [String: FrameTrack] = [:]
    private var allUntil = Date.distantPast

    /// All tracks as of the latest frame; those outside of the tiles as of up to two and a half minutes before.
    public var tracks: [FrameTrack] { Array(byId.values) }

    /// - Parameter tiles: returns the part of the world that is shown, such as `Tile.covering` the area of a map; nil for
    ///   all of it. It is asked before new frames are read, and counts for events of more than 5,000 tracks.
    public init(
        baseURL: URL, shareToken: String, session: URLSession = .shared,
        tiles: @escaping @Sendable () async -> [Tile]? = { nil }
    ) {
        wantedTiles = tiles
        framesURL = baseURL.appendingPathComponent("shares/\(shareToken)/frames").absoluteString
        self.session = session
    }

    /// Calls back with each frame until the task is cancelled. Throws `ShareEndedError` or `CancellationError`.
    public func watch(_ onFrame: @Sendable (Frame) async -> Void) async throws {
        var failures = 0
        while true {
            try Task.checkCancellation()
            let waitSec: Double
            do {
                guard let answer = try await read("latest") else { throw ShareEndedError(status: 404) }
                let latest = try JSONDecoder().decode(Latest.self, from: answer)
                let hasMany = reader.count > manyTracks && Date() < allUntil
                if hasMany, let tiles = await wantedTiles() {
                    try await readTiles(tiles, latest.numbers, onFrame)
                } else {
                    try await readFrames(latest, onFrame)
                }
                failures = 0
                // Everybody asks at another moment after a frame is due, by when most caches have it.
                waitSec = max(0.5, latest.interval_sec - latest.lag_ms / 1000 + Double.random(in: 0...0.6))
            } catch let ended as ShareEndedError {
                throw ended
            } catch {
                waitSec = min(60, pow(2, Double(failures + 1))) * Double.random(in: 0.5...1)
                failures += 1
            }
            try await Task.sleep(nanoseconds: UInt64(waitSec * 1_000_000_000))
        }
    }

    /// Reads new frames of the whole event.
    private func readFrames(_ latest: Latest, _ onFrame: @Sendable (Frame) async -> Void) async throws {
        for path in newPaths(latest) {
            // A frame that is gone, or does not follow, is left out: the next turn begins with a whole one.
            guard let bytes = try await read(path), let frame = try reader.take(bytes) else { continue }
            if frame.isWhole { byId = [:] }
            allUntil = Date().addingTimeInterval(allSec + Double.random(in: 0...spreadSec))
            await note(frame, onFrame)
        }
    }

    /// Reads the parts of new frames in tiles. A tile that is new itself begins with the newest frame.
    private func readTiles(
        _ tiles: [Tile], _ numbers: [Int64], _ onFrame: @Sendable (Frame) async -> Void
    ) async throws {
        let begun = tileReader.begin(tiles)
        for number in numbers {
            let parts = try await read(tileReader.behind(number), of: number, query: "")
            let taken = try tileReader.take(parts, tiles: tiles)
            if taken.hasGap { allUntil = Date.distantPast }
            if let frame = taken.frame { await note(frame, onFrame) }
        }
        guard let newest = numbers.last else { return }
        let whole = try await read(begun, of: newest, query: "?whole=true")
        if let frame = try tileReader.take(whole, tiles: tiles).frame { await note(frame, onFrame) }
    }

    private func read(_ tiles: [Tile], of number: Int64, query: String) async throws -> [(tile: Tile, bytes: Data?)] {
        var parts: [(tile: Tile, bytes: Data?)] = []
        for tile in tiles {
            parts.append((tile: tile, bytes: try await read("\(number)/tiles/\(tile.path)\(query)")))
        }
        return parts
    }

    private func note(_ frame: Frame, _ onFrame: @Sendable (Frame) async -> Void) async {
        for track in frame.changed { byId[track.id] = track }
        await onFrame(frame)
    }

    /// Returns the addresses of the frames that the reader lacks: from a whole one on, unless it knows one of them.
    private func newPaths(_ latest: Latest) -> [String] {
        if let number = reader.number, let known = latest.numbers.firstIndex(of: number) {
            return latest.numbers.dropFirst(known + 1).map { String($0) }
        }
        return ["\(latest.key)?whole=true"] + latest.numbers.dropFirst().map { String($0) }
    }

    /// Reads an address; nil for what is not there.
    private func read(_ path: String) async throws -> Data? {
        let request = URLRequest(url: URL(string: "\(framesURL)/\(path)")!, timeoutInterval: 20)
        let (data, response) = try await session.data(for: request)
        switch (response as? HTTPURLResponse)?.statusCode {
        case 200: return data
        case 404: return nil
        case 410: throw ShareEndedError(status: 410)
        default: throw URLError(.badServerResponse)
        }
    }
}
