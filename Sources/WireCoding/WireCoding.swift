// WireCoding
