import Foundation

/// A part of the world, in degrees.
public struct Area: Sendable, Equatable {
    public let west: Double
    public let south: Double
    public let east: Double
    public let north: Double

    public init(west: Double, south: Double, east: Double, north: Double) {
        self.west = west
        self.south = south
        self.east = east
        self.north = north
    }
}

private let unitsPerDegree = 100_000.0
/// Zoom at which a tile would have a side of one unit of a position.
private let unitZoom = 25
/// Most tiles that are worth their requests. A larger area gets the frames of the whole event.
private let maxTiles = 12

/// A square of latitude and longitude of which frames can be read alone. Its zoom is 11, 13 or 15.
public struct Tile: Sendable, Hashable {
    public static let zooms = [15, 13, 11]

    public let zoom: Int
    public let x: Int
    public let y: Int

    public init(zoom: Int, x: Int, y: Int) {
        self.zoom = zoom
        self.x = x
        self.y = y
    }

    /// The tile of a zoom that has a place.
    public init(latitude: Double, longitude: Double, zoom: Int) {
        func row(_ degrees: Double, _ limit: Double) -> Int {
            let units = Int(((min(limit, max(-limit, degrees)) + limit) * unitsPerDegree).rounded())
            return units >> (unitZoom - zoom)
        }
        self.init(zoom: zoom, x: row(longitude, 180), y: row(latitude, 90))
    }

    /// Its part of an address.
    public var path: String { "\(zoom)/\(x)/\(y)" }

    /// Tells whether a track is in the tile. One without a position is in none.
    public func contains(_ track: FrameTrack) -> Bool {
        guard let latitude = track.latitude, let longitude = track.longitude else { return false }
        return Tile(latitude: latitude, longitude: longitude, zoom: zoom) == self
    }

    /// Returns the tiles that cover an area and some tracks beside it, such as followed runners; nil if the area is too
    /// large for tiles.
    public static func covering(_ area: Area, beside: [FrameTrack] = []) -> [Tile]? {
        for zoom in zooms {
            let from = Tile(latitude: area.south, longitude: area.west, zoom: zoom)
            let to = Tile(latitude: area.north, longitude: area.east, zoom: zoom)
            let width = to.x - from.x + 1
            let height = to.y - from.y + 1
            // An area across the date line has none.
            if width < 1 || height < 1 || width * height > maxTiles { continue }
            var tiles: [Tile] = []
            for y in from.y...to.y {
                for x in from.x...to.x { tiles.append(Tile(zoom: zoom, x: x, y: y)) }
            }
            for track in beside {
                guard let latitude = track.latitude, let longitude = track.longitude else { continue }
                let tile = Tile(latitude: latitude, longitude: longitude, zoom: zoom)
                if !tiles.contains(tile) { tiles.append(tile) }
            }
            return tiles
        }
        return nil
    }
}

/// Reads the tiles that are wanted, one frame after another.
struct TileReader: Sendable {
    /// The part of a frame in all tiles, and whether a part was gone or did not follow. Then tracks may be gone, also
    /// outside of the tiles.
    struct Parts: Sendable {
        let frame: Frame?
        let hasGap: Bool
    }

    private var readers: [Tile: FrameReader] = [:]

    /// Forgets the tiles that are not wanted any more. Returns those that are new.
    mutating func begin(_ tiles: [Tile]) -> [Tile] {
        readers = readers.filter { tiles.contains($0.key) }
        return tiles.filter { readers[$0] == nil }
    }

    /// Returns the tiles that lack a frame.
    func behind(_ number: Int64) -> [Tile] {
        readers.filter { number > ($0.value.number ?? number) }.map { $0.key }
    }

    /// Takes the parts of a frame, nil for those that are gone.
    mutating func take(_ parts: [(tile: Tile, bytes: Data?)], tiles: [Tile]) throws -> Parts {
        var first: Frame?
        var changed: [String: FrameTrack] = [:]
        var hasGap = false
        for (tile, bytes) in parts {
            var reader = readers[tile] ?? FrameReader(tile: tile)
            guard let bytes, let frame = try reader.take(bytes) else {
                readers[tile] = nil
                hasGap = true
                continue
            }
            readers[tile] = reader
            if frame.isWhole { hasGap = true }
            first = first ?? frame
            // One that goes from tile to tile is in both.
            for track in frame.changed { changed[track.id] = track }
        }
        guard let first else { return Parts(frame: nil, hasGap: hasGap) }
        let frame = Frame(
            number: first.number, asOfMs: first.asOfMs, delaySec: first.delaySec, leftOut: first.leftOut,
            isWhole: first.isWhole, changed: Array(changed.values), tiles: tiles)
        return Parts(frame: frame, hasGap: hasGap)
    }
}
