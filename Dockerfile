# docker build -t gradyn . && docker run --rm -v "$PWD:/work" gradyn run five-bar
# Packages of Debian are built, and installed in an image without compilers, with Ipopt. On Debian 12 Ipopt comes without
# MPI; --build-arg RELEASE=trixie is Debian 13. scripts/try_packages.sh tries it.
ARG RELEASE=bookworm

FROM debian:${RELEASE}-slim AS packages
COPY . /gradyn
RUN DEB_BUILD_OPTIONS=noautodbgsym /gradyn/scripts/debs.sh /packages

FROM debian:${RELEASE}-slim
COPY --from=packages /packages /packages
RUN apt-get update && apt-get install -y /packages/gradyn_*.deb /packages/libgradyn0*.deb && \
  rm -rf /packages /var/lib/apt/lists/* /var/cache/apt/archives/*.deb
WORKDIR /work
ENTRYPOINT ["gradyn"]
