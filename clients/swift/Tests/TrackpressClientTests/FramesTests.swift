import XCTest

@testable import TrackpressClient

/// Reads the frames that every client reads.
final class FramesTests: XCTestCase {
    private struct Case: Decodable {
        let name: String
        let tile: ExpectedTile?
        let frames: [Step]
    }

    private struct ExpectedTile: Decodable {
        let zoom, x, y: Int
    }

    private struct TileCases: Decodable {
        let places: [Place]
        let areas: [AreaCase]
    }

    private struct AreaCase: Decodable {
        let name: String
        let area: Bounds
        let places: [Place]
        let tiles: [String]?
    }

    private struct Bounds: Decodable {
        let west, south, east, north: Double
    }

    private struct Place: Decodable {
        let latitude, longitude: Double?
        let tiles: [String]?

        var track: FrameTrack {
            FrameTrack(
                id: "", state: .running, timeMs: nil, latitude: latitude, longitude: longitude, heading: nil,
                speedMps: nil, rank: nil, details: 0, battery: nil)
        }
    }

    private struct Step: Decodable {
        let hex: String
        let result: Result
        let tracksAfter: Int
    }

    private enum Result: Decodable {
        case word(String)
        case frame(Expected)

        init(from decoder: Decoder) throws {
            if let word = try? decoder.singleValueContainer().decode(String.self) {
                self = .word(word)
            } else {
                self = .frame(try Expected(from: decoder))
            }
        }
    }

    private struct Expected: Decodable {
        let number, asOfMs, delaySec, leftOut: Int64
        let isWhole: Bool
        let changed: [Track]

        var frame: Frame {
            Frame(
                number: number, asOfMs: asOfMs, delaySec: delaySec, leftOut: leftOut, isWhole: isWhole,
                changed: changed.map { $0.track })
        }
    }

    private struct Track: Decodable {
        let id: String
        let state: State
        let timeMs: Int64?
        let latitude, longitude, heading, speedMps: Double?
        let rank: Int?
        let details: Int
        let battery: Int?

        var track: FrameTrack {
            FrameTrack(
                id: id, state: state, timeMs: timeMs, latitude: latitude, longitude: longitude, heading: heading,
                speedMps: speedMps, rank: rank, details: details, battery: battery)
        }
    }

    func testFramesHaveTheValuesOfTheVectors() throws {
        for one in try JSONDecoder().decode([Case].self, from: file("vectors.json")) {
            var reader = FrameReader(tile: one.tile.map { Tile(zoom: $0.zoom, x: $0.x, y: $0.y) })
            for step in one.frames {
                switch step.result {
                case .word("refused"): XCTAssertThrowsError(try reader.take(bytes(step.hex)), one.name)
                case .word: XCTAssertNil(try reader.take(bytes(step.hex)), one.name)
                case .frame(let expected): XCTAssertEqual(try reader.take(bytes(step.hex)), expected.frame, one.name)
                }
                XCTAssertEqual(reader.tracks.count, step.tracksAfter, one.name)
            }
        }
    }

    func testTilesAreCountedAsByEveryClient() throws {
        let cases = try JSONDecoder().decode(TileCases.self, from: file("tiles.json"))
        for place in cases.places {
            let tiles = Tile.zooms.map { Tile(latitude: place.latitude!, longitude: place.longitude!, zoom: $0).path }
            XCTAssertEqual(tiles, place.tiles)
        }
        for one in cases.areas {
            let bounds = one.area
            let area = Area(west: bounds.west, south: bounds.south, east: bounds.east, north: bounds.north)
            let tiles = Tile.covering(area, beside: one.places.map { $0.track })
            XCTAssertEqual(tiles?.map { $0.path }.sorted(), one.tiles, one.name)
        }
    }

    /// Reads a file of `clients/frames`.
    private func file(_ name: String) throws -> Data {
        let clients = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        return try Data(contentsOf: URL(fileURLWithPath: "\(clients)/frames/\(name)"))
    }

    private func bytes(_ hex: String) -> Data {
        let digits = Array(hex)
        return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16)! })
    }
}
