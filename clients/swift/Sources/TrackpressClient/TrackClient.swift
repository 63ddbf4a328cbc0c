import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The server has refused a request for good. Keep what was sent, and show or repair it.
public struct RefusedError: Error {
    public let status: Int
    public let problem: Problem
}

/// Records a track, and repeats requests until the server has answered: the part of the queue that concerns answers. An
/// app writes points to its storage first, and removes them when `addPoints` has returned.
public struct TrackClient: Sendable {
    private let baseURL: URL
    private let token: String
    private let session: URLSession

    public init(baseURL: URL, token: String, session: URLSession = .shared) {
        self.baseURL = baseURL
        self.token = token
        self.session = session
    }

    /// Creates a track, or finds the one that an earlier request has created. Returns its id.
    public func create(_ track: TrackCreate) async throws -> String {
        do {
            let answer = try await send("POST", "tracks", JSONEncoder().encode(track))
            return try JSONDecoder().decode(TrackCreated.self, from: answer).id
        } catch let refused as RefusedError {
            guard let id = refused.problem.trackId else { throw refused }
            return id
        }
    }

    /// Adds at most 10,000 points. When it returns, they are on the server's disk. Points sent again are stored once.
    public func addPoints(_ points: [PointCreate], to id: String) async throws {
        _ = try await send("POST", "tracks/\(id)/points", JSONEncoder().encode(PointBatch(points: points)))
    }

    public func update(_ id: String, with changes: TrackUpdate) async throws -> Track {
        let answer = try await send("PATCH", "tracks/\(id)", JSONEncoder().encode(changes))
        return try JSONDecoder().decode(Track.self, from: answer)
    }

    public func finish(_ id: String) async throws -> Track {
        try await JSONDecoder().decode(Track.self, from: send("POST", "tracks/\(id)/finish", nil))
    }

    private func send(_ method: String, _ path: String, _ body: Data?) async throws -> Data {
        var request = URLRequest(url: baseURL.appendingPathComponent(path), timeoutInterval: 60)
        request.httpMethod = method
        request.httpBody = body
        request.setValue(token, forHTTPHeaderField: "X-API-Key")
        if body != nil { request.setValue("application/json", forHTTPHeaderField: "Content-Type") }
        var failures = 0
        while true {
            var askedSec: Double?
            if let (data, response) = try? await session.data(for: request), let answer = response as? HTTPURLResponse {
                let status = answer.statusCode
                if [409, 429, 503].contains(status) {
                    askedSec = answer.value(forHTTPHeaderField: "Retry-After").flatMap { UInt32($0) }.map(Double.init)
                }
                // Captive portals and proxies answer too, some with 204. Only answers of the service have its header.
                if askedSec == nil, answer.value(forHTTPHeaderField: "Trackpress-Api") != nil {
                    if 200...299 ~= status, status == 204 || (try? JSONSerialization.jsonObject(with: data)) != nil {
                        return data
                    }
                    if 400...499 ~= status, ![408, 429].contains(status),
                        let problem = try? JSONDecoder().decode(Problem.self, from: data)
                    {
                        throw RefusedError(status: status, problem: problem)
                    }
                }
            }
            try Task.checkCancellation()
            let fullWaitSec = min(300, pow(2, Double(failures)))
            failures += 1
            // Never less than after any failure: some proxies ask for a wait of no time. At most an hour.
            let waitSec = max(fullWaitSec * Double.random(in: 0.5...1), min(askedSec ?? 0, 3600))
            try await Task.sleep(nanoseconds: UInt64(waitSec * 1_000_000_000))
        }
    }
}
