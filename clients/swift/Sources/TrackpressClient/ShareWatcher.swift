import Foundation

/// The share does not exist (404), or has ended (410).
public struct ShareEndedError: Error {
    public let status: Int
}

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
    private var reader = FrameReader()

    /// All tracks as of the latest frame.
    public var tracks: [FrameTrack] { reader.tracks }

    public init(baseURL: URL, shareToken: String, session: URLSession = .shared) {
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
                for path in newPaths(latest) {
                    // A frame that is gone, or does not follow, is left out: the next turn begins with a whole one.
                    if let bytes = try await read(path), let frame = try reader.take(bytes) { await onFrame(frame) }
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
