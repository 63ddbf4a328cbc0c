import XCTest

@testable import TrackpressClient

/// Reads the frames that every client reads.
final class FramesTests: XCTestCase {
    private struct Case: Decodable {
        let name: String
        let frames: [Step]
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
        let clients = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
        let file = try Data(contentsOf: URL(fileURLWithPath: "\(clients)/frames/vectors.json"))
        for one in try JSONDecoder().decode([Case].self, from: file) {
            var reader = FrameReader()
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

    private func bytes(_ hex: String) -> Data {
        let digits = Array(hex)
        return Data(stride(from: 0, to: digits.count, by: 2).map { UInt8(String(digits[$0...$0 + 1]), radix: 16)! })
    }
}
