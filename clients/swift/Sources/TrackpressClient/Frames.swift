import Foundation

/// A track as frames show it: positions to a meter, times to a second.
public struct FrameTrack: Sendable, Equatable {
    public let id: String
    public let state: State
    /// Time of the last visible point in milliseconds since 1970; nil without one, as are the next two.
    public let timeMs: Int64?
    public let latitude: Double?
    public let longitude: Double?
    /// Direction of movement in degrees; nil if it is unknown.
    public let heading: Double?
    /// Speed in meters per second; nil if it is unknown, as after a silence.
    public let speedMps: Double?
    /// Rank in the race; nil without one.
    public let rank: Int?
    /// Changes with what the list of tracks says and frames do not, such as the title.
    public let details: Int
    /// Charge of the phone in per cent; nil if it is unknown, and for spectators.
    public let battery: Int?
}

/// A frame that has been read.
public struct Frame: Sendable, Equatable {
    public let number: Int64
    /// Time of the state that it shows, in milliseconds since 1970 by the server's clock.
    public let asOfMs: Int64
    public let delaySec: Int64
    /// Older tracks of the event that no frame has.
    public let leftOut: Int64
    /// True if it has all tracks.
    public let isWhole: Bool
    /// The tracks that it has: those that differ from the frame before, or all.
    public let changed: [FrameTrack]
    /// The tiles that it has the tracks of; nil for a frame of the whole event.
    public var tiles: [Tile]?
}

/// The bytes are no frame that this version can read.
public struct FrameError: Error {
    public let reason: String

    static let place = FrameError(reason: "The frame has a place that no track has.")
}

private let unitsPerDegree = 100_000.0
private let headingStepDeg = 1.5
/// Steps of speeds: the first so many are fine, all others coarse.
private let fineSteps = 128
private let fineStepMps = 0.05
private let coarseStepMps = 0.2
private let maxPlaces: Int64 = 1 << 24

/// Reads the frames of one share, one after another, or those of one tile. The format is that of `docs/live-frames.md`.
public struct FrameReader: Sendable {
    private let tile: Tile?
    private var keyNumber: Int64 = 0
    private var keyPlaces: [Int: FrameTrack] = [:]
    /// Tracks by their places. Of a tile not every place has one.
    private var places: [Int: FrameTrack] = [:]

    /// Number of the latest frame; nil before the first.
    public private(set) var number: Int64?

    /// All tracks as of the latest frame.
    public var tracks: [FrameTrack] { places.keys.sorted().compactMap { places[$0] } }

    /// Number of tracks as of the latest frame.
    public var count: Int { places.count }

    public init(tile: Tile? = nil) {
        self.tile = tile
    }

    /// Takes the next frame. Returns nil, with nothing changed, if frames between are missing: then go on with the newest
    /// whole frame. Throws `FrameError`, with nothing changed.
    public mutating func take(_ bytes: Data) throws -> Frame? {
        var input = FrameInput(bytes: [UInt8](bytes))
        let header = try FrameHeader(&input)
        var before: [Int: FrameTrack] = [:]
        if !header.isWhole {
            guard let previous = header.previous, previous == number else { return nil }
            // The tracks as of a key frame are known to whoever has read the frames up to it.
            if header.key == number {
                before = places
            } else if header.key == keyNumber {
                before = keyPlaces
            } else {
                return nil
            }
        }
        guard header.known == before.count else { throw FrameError(reason: "The frame refers to another key frame.") }
        let read = try readTracks(&input, header, before)
        var after = header.isWhole ? [:] : places
        for (place, track) in read {
            after[place] = tile == nil || tile!.contains(track) ? track : nil
        }
        keyPlaces = header.isWhole ? after : before
        keyNumber = header.key
        places = after
        number = header.number
        return Frame(
            number: header.number, asOfMs: header.asOfMs, delaySec: header.delaySec, leftOut: header.leftOut,
            isWhole: header.isWhole, changed: read.map { $0.track })
    }
}

private struct FrameInput {
    let bytes: [UInt8]
    var at = 0

    init(bytes: [UInt8]) { self.bytes = bytes }

    var left: Int { bytes.count - at }

    mutating func byte() throws -> Int {
        guard at < bytes.count else { throw FrameError(reason: "The frame is cut off.") }
        defer { at += 1 }
        return Int(bytes[at])
    }

    mutating func unsigned() throws -> Int64 {
        var value: Int64 = 0
        for group in 0..<8 {
            let next = try byte()
            value |= Int64(next & 127) << Int64(7 * group)
            if next < 128 { return value }
        }
        throw FrameError(reason: "A number of the frame is too long.")
    }

    mutating func signed() throws -> Int64 {
        let value = try unsigned()
        return value % 2 == 0 ? value / 2 : -(value + 1) / 2
    }

    /// Reads the sixteen bytes of a UUID.
    mutating func id() throws -> String {
        var text = ""
        for at in 0..<16 {
            if [4, 6, 8, 10].contains(at) { text += "-" }
            text += String(format: "%02x", try byte())
        }
        return text
    }
}

private struct FrameHeader {
    let isWhole: Bool
    let hasBattery: Bool
    let hasSpeed: Bool
    let number: Int64
    let previous: Int64?
    let key: Int64
    let asOfMs: Int64
    let delaySec: Int64
    let leftOut: Int64
    let count: Int
    let known: Int64
    let added: Int

    init(_ input: inout FrameInput) throws {
        let start = [try input.byte(), try input.byte(), try input.byte()]
        guard start == [0x54, 0x46, 1] else { throw FrameError(reason: "This is no frame of a known version.") }
        let flags = try input.byte()
        isWhole = flags & 1 != 0
        hasBattery = flags & 2 != 0
        hasSpeed = flags & 4 != 0
        number = try input.unsigned()
        let back = try input.unsigned()
        previous = back == 0 ? nil : number - back
        key = try number - input.unsigned()
        asOfMs = try input.unsigned()
        delaySec = try input.unsigned()
        leftOut = try input.unsigned()
        let counted = try input.unsigned()
        known = try input.unsigned()
        let others = try input.unsigned()
        // A track takes at least two bytes.
        guard counted <= input.left / 2, others <= counted else { throw FrameError(reason: "The frame is cut off.") }
        count = Int(counted)
        added = Int(others)
    }
}

/// Reads the columns of a frame. Returns its tracks with their places.
private func readTracks(
    _ input: inout FrameInput, _ header: FrameHeader, _ before: [Int: FrameTrack]
) throws -> [(place: Int, track: FrameTrack)] {
    let all = 0..<header.count
    var ids: [String] = []
    for _ in 0..<header.added { ids.append(try input.id()) }
    var places: [Int] = []
    var next: Int64 = 0
    for _ in all {
        next += try input.unsigned() + 1
        guard next <= maxPlaces else { throw FrameError.place }
        places.append(Int(next - 1))
    }
    let known: [FrameTrack?] = places.map { before[$0] }
    guard known.filter({ $0 == nil }).count == header.added else { throw FrameError.place }
    var bits: [Int] = []
    for _ in all { bits.append(try input.byte()) }
    let states: [State] = [.running, .paused, .stopped]
    guard bits.allSatisfy({ $0 & 3 < states.count }) else {
        throw FrameError(reason: "The frame has a state that no track has.")
    }
    let moved = all.filter { bits[$0] & 4 != 0 }
    var ages: [Int64] = []
    for _ in moved { ages.append(try input.signed()) }
    let latitudes = try readAxis(&input, moved.map { known[$0]?.latitude }, isWhole: header.isWhole)
    let longitudes = try readAxis(&input, moved.map { known[$0]?.longitude }, isWhole: header.isWhole)
    var headings: [Int] = []
    for _ in moved { headings.append(try input.byte()) }
    var ranks: [Int] = []
    for i in all { try ranks.append(bits[i] & 8 != 0 ? Int(input.unsigned()) : known[i]?.rank ?? 0) }
    var details: [Int] = []
    for i in all { try details.append(bits[i] & 16 != 0 ? input.byte() * 256 + input.byte() : known[i]?.details ?? 0) }
    var batteries: [Int] = []
    for _ in all { try batteries.append(header.hasBattery ? input.byte() : 0) }
    var speeds: [Int] = []
    for i in all { try speeds.append(header.hasSpeed ? (input.byte() + speedStep(known[i]?.speedMps)) & 255 : 0) }

    var j = -1
    var newIds = ids.makeIterator()
    return all.map { i -> (place: Int, track: FrameTrack) in
        let isMoved = bits[i] & 4 != 0
        if isMoved { j += 1 }
        let track = FrameTrack(
            id: known[i]?.id ?? newIds.next()!,
            state: states[bits[i] & 3],
            timeMs: isMoved ? (header.asOfMs / 1000 - ages[j]) * 1000 : nil,
            latitude: isMoved ? Double(latitudes[j]) / unitsPerDegree : nil,
            longitude: isMoved ? Double(longitudes[j]) / unitsPerDegree : nil,
            heading: isMoved && headings[j] > 0 ? Double(headings[j] - 1) * headingStepDeg : nil,
            speedMps: speeds[i] > 0 ? speed(ofStep: speeds[i]) : nil,
            rank: ranks[i] > 0 ? ranks[i] : nil,
            details: details[i],
            battery: batteries[i] > 0 ? batteries[i] - 1 : nil)
        return (place: places[i], track: track)
    }
}

/// Reads the latitudes or longitudes of tracks in units. `known` are those of the key frame.
private func readAxis(_ input: inout FrameInput, _ known: [Double?], isWhole: Bool) throws -> [Int64] {
    var values: [Int64] = []
    for degrees in known {
        let base = isWhole ? values.last ?? 0 : Int64(((degrees ?? 0) * unitsPerDegree).rounded())
        try values.append(base + input.signed())
    }
    return values
}

/// Returns the meters per second of a step of a speed, from 1.
private func speed(ofStep step: Int) -> Double {
    let fine = min(step - 1, fineSteps)
    return (100 * (Double(fine) * fineStepMps + Double(step - 1 - fine) * coarseStepMps)).rounded() / 100
}

/// Returns the step of a speed that was read; 0 for an unknown one.
private func speedStep(_ speedMps: Double?) -> Int {
    guard let speedMps else { return 0 }
    let fine = min(speedMps, Double(fineSteps) * fineStepMps)
    return 1 + Int((fine / fineStepMps).rounded()) + Int(((speedMps - fine) / coarseStepMps).rounded())
}
