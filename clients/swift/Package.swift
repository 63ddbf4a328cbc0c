// swift-tools-version: 5.9
import PackageDescription

let package = Package(
    name: "TrackpressClient",
    platforms: [.iOS(.v15), .macOS(.v12)],
    products: [.library(name: "TrackpressClient", targets: ["TrackpressClient"])],
    targets: [
        .target(name: "TrackpressClient"),
        .executableTarget(name: "record-track", dependencies: ["TrackpressClient"]),
        .executableTarget(name: "watch-share", dependencies: ["TrackpressClient"]),
        .testTarget(name: "TrackpressClientTests", dependencies: ["TrackpressClient"]),
    ]
)
